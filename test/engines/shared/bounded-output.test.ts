import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBoundedOutput } from "../../../src/engines/shared/bounded-output.ts";
import { runs } from "../../property.ts";

describe("kept text", () => {
  it("is the first and the last characters of everything, however it comes", () => {
    const size = fc.nat({ max: 12 });
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 9 })), size, size, (pieces, start, end) => {
        const kept = createBoundedOutput({ start, end });
        for (const piece of pieces) kept.add(piece);
        const all = pieces.join("");
        expect(kept.leftOut()).toBe(Math.max(0, all.length - start - end));
        expect(kept.head()).toBe(all.slice(0, start));
        expect(kept.tail()).toBe(all.slice(Math.max(start, all.length - end)));
      }),
      runs(300),
    );
  });

  it("has no half characters where it was cut, and is untouched where it was not", () => {
    const cut = createBoundedOutput({ start: 1, end: 1 });
    cut.add("😀😀");
    expect([cut.head(), cut.tail(), cut.leftOut()]).toEqual(["\uFFFD", "\uFFFD", 2]);
    const uncut = createBoundedOutput({ start: 1, end: 1 });
    uncut.add("😀");
    expect(uncut.head() + uncut.tail()).toBe("😀");
  });
});
