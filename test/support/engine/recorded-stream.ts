import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import type { CliExit, CliOutcome, CliReader } from "../../../src/engines/cli/cli-dialect.ts";
import { createLineSplitter } from "../../../src/engines/shared/line-splitter.ts";
import type { StepEvent } from "../../../src/ports/engine.ts";
import { runs } from "../../property.ts";

/** What a real command line once printed, to be played back to a reader. */
export function recordedStream(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, `../../fixtures/streams/${name}.jsonl`));
}

export interface Replay {
  readonly events: readonly StepEvent[];
  readonly outcome: CliOutcome | null;
}

/** The bytes, cut at these places as a pipe might. */
export function replay(
  reader: CliReader,
  bytes: Uint8Array,
  { cuts = [], ...exit }: Partial<CliExit> & { readonly cuts?: readonly number[] } = {},
): Replay {
  const events: StepEvent[] = [];
  const lines = createLineSplitter(1_000_000, (line) => {
    for (const said of reader.line(line)) if (said.type !== "question" && said.type !== "reply") events.push(said);
  });
  let from = 0;
  for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    lines.push(Buffer.from(bytes.subarray(from, cut)));
    from = cut;
  }
  lines.push(Buffer.from("\n"));
  return { events, outcome: reader.end({ code: 0, stderr: "", nowMs: 0, ...exit }) };
}

const noise = fc.array(
  fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('{"type":"from the future"}', '{"type":"result"}', '{"type":"assistant","message":7}'),
  ),
  { minLength: 1, maxLength: 5 },
);
const places = fc.array(fc.nat(), { maxLength: 30 });

/** A whole recording means the same wherever it is cut and whatever nobody understands stands between its lines. */
export function expectSameHoweverCut(reader: () => CliReader, recording: Buffer): void {
  const expected = replay(reader(), recording);
  fc.assert(
    fc.property(noise, places, (strange, numbers) => {
      const lines = recording.toString("utf8").split("\n");
      const mixed = lines.flatMap((line, at) => [(strange[at % strange.length] ?? "").replaceAll("\n", " "), line]);
      const bytes = Buffer.from(mixed.join("\n"));
      expect(replay(reader(), bytes, { cuts: numbers.map((number) => number % bytes.length) })).toEqual(expected);
    }),
    runs(100),
  );
}

/** A recording that stops before the end of its last line is never a result. */
export function expectNoResultWhenCutOff(reader: () => CliReader, recording: Buffer): void {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: recording.length - 2 }), places, (length, numbers) => {
      const cuts = length === 0 ? [] : numbers.map((number) => number % length);
      expect(replay(reader(), recording.subarray(0, length), { cuts }).outcome?.kind).not.toBe("result");
    }),
    runs(200),
  );
}
