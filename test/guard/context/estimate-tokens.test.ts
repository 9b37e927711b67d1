import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToLength, cutToTokens, estimateTokens } from "../../../src/guard/context/estimate-tokens.ts";
import { runs } from "../../property.ts";

const text = fc.string({
  unit: fc.oneof(fc.constantFrom("a", " ", "\n"), fc.constantFrom("é", "中", "😀")),
  maxLength: 400,
});

describe("the estimate of tokens", () => {
  it("counts four characters of ASCII to a token, and more for everything else", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("abcd")).toBe(1);
    expect(estimateTokens("abcde")).toBe(2);
    expect(estimateTokens("éé")).toBe(2);
    expect(estimateTokens("中文中文")).toBe(7);
    expect(estimateTokens("😀")).toBe(2);
  });

  it("never says less for the parts than for the whole", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(estimateTokens(a + b)).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b));
      }),
      runs(200),
    );
  });
});

describe("cutting", () => {
  it("keeps a beginning that fits, with no half characters, and nothing less than it must", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -1, max: 120 }), (whole, tokens) => {
        const cut = cutToTokens(whole, tokens);
        expect(whole.startsWith(cut)).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
        if (cut !== "") expect(estimateTokens(cut)).toBeLessThanOrEqual(tokens);
        if (estimateTokens(whole) <= tokens) expect(cut).toBe(whole);
        else if (!whole.includes("\n")) expect(estimateTokens(cut)).toBeGreaterThan(tokens - 3);
      }),
      runs(300),
    );
  });

  it("prefers the end of a line when that keeps at least half", () => {
    expect(cutToLength("first line\nsecond", 14)).toBe("first line");
    expect(cutToLength("a\nlong line without breaks", 14)).toBe("a\nlong line wi");
    expect(cutToLength("ab😀", 3)).toBe("ab");
  });
});
