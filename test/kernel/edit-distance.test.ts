import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../../src/kernel/edit-distance.ts";
import { runs } from "../property.ts";

describe("editDistance", () => {
  it("counts insertions, deletions, replacements and swaps", () => {
    expect(editDistance("kitten", "sitting")).toBe(3);
    expect(editDistance("ab", "ba")).toBe(1);
    expect(editDistance("", "abc")).toBe(3);
  });

  it("is a distance: zero only for equals, the same both ways, one per edit", () => {
    const word = fc.string({ maxLength: 12, unit: fc.constantFrom("a", "b", "c") });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, `${a}x`)).toBe(1);
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
      runs(300),
    );
  });
});
