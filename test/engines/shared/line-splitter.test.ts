import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter } from "../../../src/engines/shared/line-splitter.ts";
import { runs } from "../../property.ts";

function split(bytes: Buffer, sizes: readonly number[], limit: number): string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter(limit, (line) => lines.push(line));
  let from = 0;
  for (let turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    splitter.push(bytes.subarray(from, from + size));
    from += size;
  }
  return lines;
}

describe("createLineSplitter", () => {
  it("gives the same lines however the bytes are cut [engine.stream-damage]", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" })),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (texts, sizes) => {
          const lines = texts.map((text) => JSON.stringify(text));
          expect(split(Buffer.from(lines.map((line) => `${line}\n`).join("")), sizes, 10_000)).toEqual(lines);
        },
      ),
      runs(200),
    );
  });

  it("holds no more than a line [engine.stream-damage]", () => {
    expect(() => split(Buffer.from(`short\n${"x".repeat(101)}`), [7], 100)).toThrow("a line of more than 100 bytes");
    expect(split(Buffer.from(`${"x".repeat(100)}\nlast`), [7], 100)).toEqual(["x".repeat(100)]);
  });
});
