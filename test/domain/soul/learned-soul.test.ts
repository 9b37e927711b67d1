import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Soul } from "../../../src/domain/agent/definition.ts";
import {
  applyChanges,
  differenceOf,
  effectiveSoul,
  NOTHING_LEARNED,
  settleChange,
} from "../../../src/domain/soul/learned-soul.ts";
import { checkChange, type SoulChange } from "../../../src/domain/soul/soul-change.ts";
import { editsByHand, learnedAt, NO_STATE, withVersion } from "../../../src/domain/soul/soul-history.ts";
import { runs } from "../../property.ts";
import { refused, value } from "../../support/result.ts";

const BASELINE: Soul = { role: "reviewer", expertise: ["typescript", "cobol"], principles: ["Be kind"], motto: "x" };
const ABOUT = { at: "2026-01-01T00:00:00.000Z", by: "user", why: "", evidence: [], proposal: null };

const trait = fc.constantFrom("expertise", "principles");
const item = fc.constantFrom("typescript", "Cobol.", "Be kind", "be  brief", "Explain");
const change: fc.Arbitrary<SoulChange> = fc.oneof(
  fc.record({ kind: fc.constantFrom("add" as const, "remove" as const), trait, item }),
  fc.record({ kind: fc.constant("replace" as const), trait: fc.constantFrom("role", "style"), text: item }),
  fc.record({ kind: fc.constant("restore" as const), trait, item }),
  fc.record({ kind: fc.constant("restore" as const), trait: fc.constantFrom("role", "style", "principles") }),
);

describe("what was learned on top of a baseline", () => {
  it("adds and removes items and replaces texts, and leaves everything else as it was written", () => {
    const learned = applyChanges(NOTHING_LEARNED, [
      { kind: "add", trait: "principles", item: "Explain trade-offs" },
      { kind: "remove", trait: "expertise", item: "COBOL" },
      { kind: "replace", trait: "style", text: "brief" },
    ]);
    expect(effectiveSoul(BASELINE, learned)).toEqual({
      role: "reviewer",
      expertise: ["typescript"],
      principles: ["Be kind", "Explain trade-offs"],
      motto: "x",
      style: "brief",
    });
    expect(effectiveSoul(BASELINE, NOTHING_LEARNED)).toBe(BASELINE);
    expect(effectiveSoul(undefined, learned)).toEqual({ principles: ["Explain trade-offs"], style: "brief" });
  });

  it("means the same when the baseline is rewritten afterwards", () => {
    const learned = applyChanges(NOTHING_LEARNED, [{ kind: "add", trait: "principles", item: "Explain" }]);
    expect(effectiveSoul({ principles: ["explain.", "New"] }, learned)).toEqual({ principles: ["explain.", "New"] });
  });

  it("gets from any state to any other by their difference", () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (one, other) => {
        const [before, after] = [applyChanges(NOTHING_LEARNED, one), applyChanges(NOTHING_LEARNED, other)];
        const reached = applyChanges(before, differenceOf(before, after));
        expect(differenceOf(reached, after)).toEqual([]);
        expect(differenceOf(after, after)).toEqual([]);
      }),
      runs(300),
    );
  });

  it("[soul.rollback] [soul.history] can be had as of any version, whatever was edited by hand in between", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(change, { maxLength: 3 }), fc.array(change, { maxLength: 2 }))),
        (steps) => {
          let state = NO_STATE;
          const seen = [NOTHING_LEARNED];
          for (const [edits, changes] of steps) {
            state = { ...state, learned: applyChanges(state.learned, edits) };
            if (editsByHand(state).length > 0) seen.push(state.learned);
            state = withVersion(state, changes, ABOUT);
            seen.push(state.learned);
          }
          expect(state.versions.map(({ version }) => version)).toEqual(seen.slice(1).map((_, index) => index + 1));
          for (const [version, learned] of seen.entries()) {
            expect(differenceOf(value(learnedAt(state.versions, version)), learned)).toEqual([]);
          }
          expect(refused(learnedAt(state.versions, seen.length)).code).toBe("not_found");
        },
      ),
      runs(200),
    );
  });
});

describe("a change", () => {
  it("that would change nothing is none, and one that takes back what was learned says so", () => {
    const learned = applyChanges(NOTHING_LEARNED, [{ kind: "add", trait: "principles", item: "Explain" }]);
    expect(settleChange(BASELINE, learned, { kind: "add", trait: "principles", item: "be kind." })).toBeNull();
    expect(settleChange(BASELINE, learned, { kind: "remove", trait: "expertise", item: "rust" })).toBeNull();
    expect(settleChange(BASELINE, learned, { kind: "replace", trait: "role", text: "reviewer" })).toBeNull();
    expect(settleChange(BASELINE, learned, { kind: "remove", trait: "principles", item: "explain" })).toEqual({
      kind: "restore",
      trait: "principles",
      item: "explain",
    });
  });

  it.each<[SoulChange, string]>([
    [{ kind: "add", trait: "role", item: "x" }, "role is one text"],
    [{ kind: "replace", trait: "principles", text: "x" }, "principles is a list"],
    [{ kind: "replace", trait: "nested", text: "x" }, "neither a text nor a list"],
    [{ kind: "add", trait: "__proto__", item: "x" }, "cannot be the name of a trait"],
    [{ kind: "add", trait: "two words", item: "x" }, "cannot be the name of a trait"],
    [{ kind: "add", trait: "principles", item: " \n " }, "nothing to add"],
    [{ kind: "add", trait: "principles", item: "x".repeat(301) }, "300 characters at most"],
  ])("is refused when it does not fit: %j", (wrong, says) => {
    expect(refused(checkChange(wrong, { ...BASELINE, nested: { a: 1 } })).message).toContain(says);
  });
});
