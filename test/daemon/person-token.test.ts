import { describe, expect, it } from "vitest";
import { createPersonToken } from "../../src/daemon/person-token.ts";

describe("the token of a person", () => {
  it("matches itself alone: nothing shorter, longer or as long as it", () => {
    const { text, matches } = createPersonToken();
    expect(matches(text)).toBe(true);
    const last = text.endsWith("A") ? "B" : "A";
    const others = ["", text.slice(0, -1), `${text}A`, `${text}\0`, text.slice(0, -1) + last, "é".repeat(text.length)];
    expect(others.filter(matches)).toEqual([]);
    expect(matches(createPersonToken().text)).toBe(false);
  });
});
