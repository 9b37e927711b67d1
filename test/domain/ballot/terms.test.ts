import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ballotTerms, findOption, type ProposedTerms } from "../../../src/domain/ballot/terms.ts";
import { runs } from "../../property.ts";
import { refused, value } from "../../support/result.ts";

const base: ProposedTerms = {
  type: "decision",
  creator: "alice",
  eligible: ["alice", "bob", "carol"],
  seed: 7,
  options: ["Use Postgres", "Use SQLite"],
};

describe("ballot terms", () => {
  it("fills in the defaults: plurality, everyone, first of a tie, no fallback", () => {
    expect(value(ballotTerms(base))).toEqual({
      type: "decision",
      options: [
        { id: "use-postgres", label: "Use Postgres" },
        { id: "use-sqlite", label: "Use SQLite" },
      ],
      rule: "plurality",
      quorum: 3,
      tie: "first",
      fallback: null,
      eligible: ["alice", "bob", "carol"],
      creator: "alice",
      seed: 7,
    });
  });

  it("gives an approval its two options [ballot.approval-options]", () => {
    const { options: _, ...rest } = base;
    const terms = value(ballotTerms({ ...rest, type: "approval" }));
    expect(terms.options.map(({ id }) => id)).toEqual(["approve", "reject"]);
    expect(refused(ballotTerms({ ...rest, type: "election" })).message).toContain("has 0");
  });

  it("keeps what is given: ids, consequences, rule, quorum, tie, fallback by label", () => {
    const then = { propose: "document.own", data: { agent: "bob" } };
    const terms = value(
      ballotTerms({
        ...base,
        options: [{ id: "b", label: "Bob", then }, { label: "Carol" }],
        rule: "majority",
        quorum: 1,
        tie: "creator",
        fallback: "carol",
      }),
    );
    expect(terms.options).toEqual([
      { id: "b", label: "Bob", then },
      { id: "carol", label: "Carol" },
    ]);
    expect(terms).toMatchObject({ rule: "majority", quorum: 1, tie: "creator", fallback: "carol" });
  });

  it.each<[string, Partial<ProposedTerms>, RegExp]>([
    ["one option [ballot.options]", { options: ["only"] }, /has 1/],
    ["21 options", { options: Array.from({ length: 21 }, (_, i) => `o${i}`) }, /has 21/],
    ["the same label twice", { options: ["Yes", " yes "] }, /both called "yes"/],
    [
      "the same id twice",
      {
        options: [
          { id: "a", label: "x" },
          { id: "A", label: "y" },
        ],
      },
      /both called "A"/,
    ],
    ["an id that is another's label", { options: ["a", { id: "a", label: "b" }] }, /both called "a"/],
    ["an empty label", { options: ["a", "  "] }, /Option 2 needs a label/],
    ["an endless label", { options: ["a", "b".repeat(201)] }, /Option 2 needs a label/],
    ["an id that is none", { options: ["a", { id: "__proto__", label: "b" }] }, /"__proto__" cannot be/],
    ["nobody to vote", { eligible: [] }, /at least one eligible/],
    ["a voter twice", { eligible: ["bob", "carol", "bob"] }, /"bob" is listed twice/],
    ["quorum 0", { quorum: 0 }, /quorum of 0/],
    ["quorum above the electorate", { quorum: 4 }, /quorum of 4/],
    ["a broken quorum", { quorum: 1.5 }, /quorum of 1.5/],
    ["no number as quorum", { quorum: Number.NaN }, /quorum of NaN/],
    ["a fallback that is no option", { fallback: "use-postgress" }, /"use-postgress" is not an option/],
  ])("refuses %s", (_, change, message) => {
    const refusal = refused(ballotTerms({ ...base, ...change }));
    expect(refusal.code).toBe("invalid");
    expect(refusal.message).toMatch(message);
    expect(refusal.hint).toBeTruthy();
  });

  it("knows its types and no others [ballot.types]", () => {
    for (const type of ["election", "decision", "approval", "assignment"] as const) {
      expect(value(ballotTerms({ ...base, type })).type).toBe(type);
    }
    const poll: ProposedTerms = Object.assign({ ...base }, JSON.parse('{"type":"poll"}'));
    expect(refused(ballotTerms(poll)).message).toContain('"poll" is not a type of ballot');
  });

  it("suggests the option that was meant", () => {
    const { options } = value(ballotTerms(base));
    expect(refused(findOption(options, "use-sqllite")).hint).toContain('Did you mean "use-sqlite"?');
    expect(value(findOption(options, "USE sqlite")).id).toBe("use-sqlite");
  });

  it("derives ids from labels of any script, and from none", () => {
    const labels = ["是", "否", "!!!", "A!", "A?", "option-3"];
    const ids = value(ballotTerms({ ...base, options: labels })).options.map(({ id }) => id);
    expect(ids).toEqual(["是", "否", "option-3-2", "a", "a-2", "option-3"]);
  });

  it("never lets one name stand for two options, and every id and label finds its own option", () => {
    const label = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom("a", "A", "!", "2", "-", "é", "𝐀") });
    const option = fc.oneof(label, fc.record({ label, id: label }));
    fc.assert(
      fc.property(fc.array(option, { minLength: 2, maxLength: 8 }), (options) => {
        const terms = ballotTerms({ ...base, options });
        if (!terms.ok) return;
        expect(new Set(terms.value.options.map(({ id }) => id)).size).toBe(options.length);
        for (const { id, label: text } of terms.value.options) {
          expect(value(findOption(terms.value.options, id)).id).toBe(id);
          expect(value(findOption(terms.value.options, text)).id).toBe(id);
        }
      }),
      runs(500),
    );
  });
});
