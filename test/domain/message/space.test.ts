import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Space } from "../../../src/domain/message/message.ts";
import { displaySpace, formatSpace, parseSpace } from "../../../src/domain/message/space.ts";
import { targetSpace } from "../../../src/domain/message/target.ts";
import { runs } from "../../property.ts";
import { anyTarget } from "../../support/team/any-target.ts";

const workspace = (workflow: string, tag: string): Space => ({ kind: "workspace", workflow, tag });

describe("space", () => {
  it.each([
    [workspace("review", "main"), "@review:main", "@review"],
    [workspace("review", "pr-1"), "@review:pr-1", "@review:pr-1"],
    [workspace("dm", "main"), "@dm:main", "@dm"],
    [{ kind: "dm", agent: "review" } as const, "review", "review"],
  ])("%j is written %s and shown as %s", (space, text, shown) => {
    expect(formatSpace(space)).toBe(text);
    expect(displaySpace(space)).toBe(shown);
    expect(parseSpace(text)).toEqual({ ok: true, value: space });
  });

  it.each([
    "",
    "@",
    "@review",
    "@review:",
    "@:main",
    "review:main",
    "@global:main",
    "user",
    "@a:b:c",
    "@review:..",
    " a",
  ])("%j is no space", (text) => {
    expect(parseSpace(text)).toMatchObject({ ok: false, error: { code: "invalid", hint: expect.any(String) } });
  });

  it("has one text, and the text one space", () => {
    fc.assert(
      fc.property(anyTarget, anyTarget, (one, other) => {
        const [a, b] = [targetSpace(one), targetSpace(other)];
        expect(parseSpace(formatSpace(a))).toEqual({ ok: true, value: a });
        expect(formatSpace(a) === formatSpace(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      runs(300),
    );
  });
});
