import { z } from "zod";
import { EngineFailure } from "../../ports/engine.ts";

/** The position of a run in its script: all that the mock engine needs to continue, also in another process. */
const positionSchema = z.object({
  /** Index of the turn; null when no turn matches and the default answer was given. */
  turn: z.int().nonnegative().nullable(),
  /** Index of the next step of the turn. */
  next: z.int().nonnegative(),
  values: z.record(z.string(), z.string()),
  /** A call that waits for an approval, to be made again under the same id. */
  waiting: z.object({ id: z.string(), tool: z.string(), args: z.unknown() }).nullable(),
});

export type ScriptPlace = Readonly<z.infer<typeof positionSchema>>;

/** The position after each step, with the values that the step added. Earlier versions wrote one position with all. */
const transcriptSchema = z.union([positionSchema, z.array(positionSchema).min(1)]);

export interface MockTranscript {
  readonly position: ScriptPlace;
  /** The next step can add to it. */
  readonly isList: boolean;
}

export function readTranscript(text: string): MockTranscript {
  try {
    const read = transcriptSchema.parse(JSON.parse(text));
    if (!Array.isArray(read)) return { position: read, isList: false };
    const position = read.reduce((before, after) => ({ ...after, values: { ...before.values, ...after.values } }));
    return { position, isList: true };
  } catch (cause) {
    throw new EngineFailure("permanent", "The transcript of this run was not written by the mock engine.", { cause });
  }
}

/** Returns what a step leaves: its position, with all values or with those that it added to `before`. */
export function writeTranscript(position: ScriptPlace, before: ScriptPlace | null): string {
  const added = Object.entries(position.values).filter(([name, value]) => before?.values[name] !== value);
  return JSON.stringify([{ ...position, values: Object.fromEntries(added) }]);
}
