import { describe, expect, it } from "vitest";
import { conditionText } from "../../../web/src/text/rule-text.ts";
import { changeText } from "../../../web/src/text/soul-text.ts";
import { dayName } from "../../../web/src/text/time.ts";

describe("in words", () => {
  it.each([
    [{ on: "message" }, "anybody says something"],
    [
      { on: "message", from: "bob", contains: "ready\u202e", mentions: "alice" },
      'bob says something that holds "ready\\u{202e}" and calls @alice',
    ],
    [{ on: "document" }, "anybody writes a document"],
    [{ on: "document", from: "sam", file: "notes.md" }, "sam writes notes.md"],
    [{ on: "ballot" }, "a ballot ends"],
    [{ on: "ballot", state: "resolved", winner: "ship" }, 'a ballot is resolved, won by "ship"'],
  ] as const)("a rule waits for %o", (when, words) => {
    expect(conditionText(when)).toBe(words);
  });

  it.each([
    [{ kind: "add", trait: "principles", value: "Ask\u200b first" }, "add to principles: Ask\\u{200b} first"],
    [{ kind: "remove", trait: "expertise", value: "SQL" }, "take from expertise: SQL"],
    [{ kind: "replace", trait: "style", value: "short" }, "set style: short"],
    [{ kind: "restore", trait: "style", value: null }, "restore style"],
  ] as const)("a soul changes by %o", (change, words) => {
    expect(changeText(change)).toBe(words);
  });
});

it("[ui.reading] days have the names that people use", () => {
  const now = new Date(2026, 2, 1, 9);
  expect(dayName("2026-03-01", now)).toBe("Today");
  expect(dayName("2026-02-28", now)).toBe("Yesterday");
  expect(dayName("2026-02-27", now)).toBe("Friday, 2026-02-27");
});
