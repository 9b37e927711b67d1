import { z } from "zod";
import { EngineFailure } from "../../ports/engine.ts";

/** The position of a run in its script: all that the mock engine needs to continue, also in another process. */
const transcriptSchema = z.object({
  /** Index of the turn; null when no turn matches and the default answer was given. */
  turn: z.int().nonnegative().nullable(),
  /** Index of the next step of the turn. */
  next: z.int().nonnegative(),
  values: z.record(z.string(), z.string()),
  /** A call that waits for an approval, to be made again under the same id. */
  waiting: z.object({ id: z.string(), tool: z.string(), args: z.unknown() }).nullable(),
});

export type MockTranscript = Readonly<z.infer<typeof transcriptSchema>>;

export function readTranscript(text: string): MockTranscript {
  try {
    return transcriptSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new EngineFailure("permanent", "The transcript of this run was not written by the mock engine.", { cause });
  }
}
