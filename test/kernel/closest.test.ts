import { describe, expect, it } from "vitest";
import { closest, hintForUnknown } from "../../src/kernel/closest.ts";

describe("closest", () => {
  it.each([
    ["alcie", ["bob", "alice"], "alice"],
    ["ALICE", ["alice"], "alice"],
    ["bakend", ["backend", "prompt"], "backend"],
    ["max_step", ["max_tokens", "max_steps"], "max_steps"],
    ["rob", ["bob"], "bob"],
    ["b", ["a"], undefined],
    ["helper", ["alice", "bob"], undefined],
    ["", ["alice"], undefined],
    ["x", [], undefined],
  ])("%s among %j is %s", (name, candidates, expected) => {
    expect(closest(name, candidates)).toBe(expected);
  });

  it("takes the nearest, and the first of equals", () => {
    expect(closest("review", ["reviewer", "reviews"])).toBe("reviews");
    expect(closest("cat", ["bat", "hat"])).toBe("bat");
  });

  it("does not spend time on a name that is no name", () => {
    expect(closest("a".repeat(1_000_000), ["a".repeat(999_999)])).toBeUndefined();
  });
});

describe("hintForUnknown", () => {
  it("suggests and lists", () => {
    expect(hintForUnknown("alcie", ["alice", "bob"], "agents")).toBe('Did you mean "alice"? Known agents: alice, bob.');
    expect(hintForUnknown("zzz", ["alice"], "agents")).toBe("Known agents: alice.");
    expect(hintForUnknown("zzz", [], "agents")).toBe("There are no agents.");
  });

  it("stays short", () => {
    const many = Array.from({ length: 25 }, (_, index) => `name-${index}`);
    expect(hintForUnknown("zzz", many, "agents")).toMatch(/name-19, and 5 more\.$/);
  });
});
