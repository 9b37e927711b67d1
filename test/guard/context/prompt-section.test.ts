import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textOf } from "../../../src/guard/context/prompt-piece.ts";
import { listSection } from "../../../src/guard/context/prompt-section.ts";
import { runs } from "../../property.ts";

const items = fc.array(
  fc.nat({ max: 60 }).map((length) => ({ name: `${length}`, text: "x".repeat(length) })),
  { maxLength: 12 },
);

describe("a list in a prompt", () => {
  it("never costs more than it is allowed, frame and all, and loses nothing silently", () => {
    fc.assert(
      fc.property(
        items,
        fc.integer({ min: -5, max: 250 }),
        fc.boolean(),
        fc.boolean(),
        (given, tokens, contiguous, told) => {
          const made = listSection({
            part: "todos",
            tag: "todos",
            items: given,
            allowance: { tokens, reason: "share" },
            contiguous,
            ...(told ? { more: (count: number) => `(${count} more: todo_list)` } : {}),
          });
          expect(made.tokens).toBeLessThanOrEqual(Math.max(0, tokens));
          const missing = made.leftOut.reduce((sum, { count }) => sum + count, 0);
          expect(made.items + missing).toBe(given.length);
          expect(textOf(made.pieces).includes("more: todo_list")).toBe(told && missing > 0 && made.items > 0);
        },
      ),
      runs(500),
    );
  });

  it("without gaps ends at the first item that does not fit; otherwise smaller ones may follow", () => {
    const given = ["aaaa", "b".repeat(400), "cccc"].map((text) => ({ name: text.charAt(0), text }));
    const make = (contiguous: boolean) =>
      listSection({
        part: "todos",
        tag: "todos",
        items: given,
        allowance: { tokens: 20, reason: "budget" },
        contiguous,
      });
    expect(textOf(make(true).pieces)).toBe("<todos>\naaaa\n</todos>");
    expect(make(true).leftOut).toEqual([{ reason: "budget", count: 2, names: ["b", "c"] }]);
    expect(textOf(make(false).pieces)).toBe("<todos>\naaaa\ncccc\n</todos>");
    expect(make(false).leftOut).toEqual([{ reason: "budget", count: 1, names: ["b"] }]);
  });

  it("names the first few of many that are missing, and counts them all", () => {
    const given = Array.from({ length: 100 }, (_, at) => ({ name: `n${at}`, text: "some words" }));
    const { leftOut } = listSection({
      part: "team",
      tag: "team",
      items: given,
      allowance: { tokens: 0, reason: "budget" },
    });
    expect(leftOut).toEqual([{ reason: "budget", count: 100, names: given.slice(0, 20).map(({ name }) => name) }]);
  });
});
