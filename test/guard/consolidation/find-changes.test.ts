import { describe, expect, it } from "vitest";
import { findContradictions } from "../../../src/guard/consolidation/contradicting-entries.ts";
import { findRepeated } from "../../../src/guard/consolidation/repeated-entries.ts";
import type { MemoryEntry } from "../../../src/ports/personal-context.ts";

function entry(key: string, value: string, more: Partial<MemoryEntry> = {}): MemoryEntry {
  const origin = { by: "alice", run: null, space: "alice", heard: [], outside: false };
  return {
    key,
    value,
    tier: "working",
    visibility: "private",
    source: "alice",
    origin,
    created: "2026-01-01T00:00:00Z",
    updated: null,
    id: `mem_${key}`,
    file: "m.yaml",
    ...more,
  };
}
const OUTSIDE = { origin: { by: "alice", run: null, space: "@a:main", heard: ["bob"], outside: true } };
const TEXT = "The nightly job of the shop runs on the large machine in Frankfurt";

const pairs = (entries: readonly MemoryEntry[]) =>
  findRepeated(entries).map((found) => [found.entry.key, found.by.key]);

describe("repeated entries", () => {
  it("are those whose words another entry has, and the newer or longer one stays", () => {
    expect(pairs([entry("a", TEXT), entry("b", `${TEXT} since May`)])).toEqual([["a", "b"]]);
    expect(pairs([entry("new", TEXT, { updated: "2026-02-01T00:00:00Z" }), entry("old", TEXT)])).toEqual([
      ["old", "new"],
    ]);
    expect(pairs([entry("a", "short one"), entry("b", "short one")])).toEqual([]);
    expect(pairs([entry("a", TEXT), entry("b", TEXT.replace("Frankfurt", "Dublin"))])).toEqual([]);
  });

  it("are never what a person wrote, core memory, or what is more trusted or more visible than the other", () => {
    expect(pairs([entry("mine", TEXT, { source: "user" }), entry("b", TEXT, { tier: "archive" })])).toEqual([]);
    expect(pairs([entry("core", TEXT, { tier: "core" }), entry("b", TEXT)])).toEqual([["b", "core"]]);
    expect(pairs([entry("sure", TEXT), entry("claim", `${TEXT} today`, OUTSIDE)])).toEqual([]);
    expect(pairs([entry("claim", TEXT, OUTSIDE), entry("sure", TEXT)])).toEqual([["claim", "sure"]]);
    expect(pairs([entry("shared", TEXT, { visibility: "public" }), entry("b", `${TEXT} today`)])).toEqual([]);
  });

  it("are found among thousands in a moment", () => {
    const many = Array.from({ length: 5000 }, (_, n) =>
      entry(`k${n}`, `Machine ${n} of the shop stands in room ${n * 7} on floor ${n % 9}`),
    );
    const started = performance.now();
    expect(pairs([...many, entry("again", "Machine 77 of the shop stands in room 539 on floor 5")])).toHaveLength(1);
    findContradictions(many);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("contradictions", () => {
  const contradicting = (a: string, b: string) =>
    findContradictions([entry("a", a), entry("b", b, { updated: "2026-02-01T00:00:00Z" })]).map(({ first, second }) => [
      first.key,
      second.key,
    ]);

  it.each([
    ["Deploys of the shop happen on Friday", "Deploys of the shop happen on Tuesday"],
    ["The limit for uploads is 20 MB", "The limit for uploads is 50 MB"],
    ["Bob may merge to main", "Bob may not merge to main"],
  ])("are the same words with another value: %s / %s", (a, b) => {
    expect(contradicting(a, b)).toEqual([["a", "b"]]);
  });

  it.each([
    ["Deploys of the shop happen on Friday", "Deploys of the shop happen on Friday at noon"],
    ["Bob likes tea in the morning", "Carol likes coffee in the morning"],
    ["Ticket 7 is about login", "Ticket 8 is about search"],
  ])("are not texts about something else, or more of the same: %s / %s", (a, b) => {
    expect(contradicting(a, b)).toEqual([]);
  });
});

it("does not ask about an entry that another one replaces already", () => {
  const [first, second] = ["The server listens on port 81", "The server listens on port 82"];
  const replaced = entry("a", first, { validUntil: "2026-02-01T00:00:00Z", replacedBy: "b" });
  expect(findContradictions([entry("a", first), entry("b", second)])).toHaveLength(1);
  expect(findContradictions([replaced, entry("b", second)])).toEqual([]);
});
