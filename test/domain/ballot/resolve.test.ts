import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BALLOT_RULES,
  TIE_BREAKS,
  type BallotOutcome,
  type BallotTerms,
  type Vote,
} from "../../../src/domain/ballot/ballot.ts";
import { castVote, resolveBallot, tallyVotes } from "../../../src/domain/ballot/resolve.ts";
import { seededRandom } from "../../../src/kernel/random.ts";
import { runs } from "../../property.ts";
import { refused, value } from "../../support/result.ts";

function terms(change: Partial<BallotTerms> = {}): BallotTerms {
  const eligible = change.eligible ?? ["v1", "v2", "v3"];
  return {
    type: "decision",
    options: ["a", "b", "c"].map((id) => ({ id, label: id.toUpperCase() })),
    rule: "plurality",
    quorum: eligible.length,
    tie: "first",
    fallback: null,
    eligible,
    creator: "v1",
    seed: 1,
    ...change,
  };
}

/** "ab-" = the first voter chose a, the second b, the third has not voted. */
function ballots(choices: string, { eligible }: BallotTerms = terms()): Vote[] {
  return [...choices].flatMap((option, index) => (option === "-" ? [] : [{ voter: eligible[index] ?? "", option }]));
}

const five = ["v1", "v2", "v3", "v4", "v5"];

describe("resolveBallot", () => {
  it.each<[string, Partial<BallotTerms>, string, BallotOutcome]>([
    ["waits for quorum [ballot.quorum-all]", {}, "aa-", { status: "open" }],
    ["takes the most votes [ballot.plurality]", {}, "aab", { status: "resolved", winner: "a", by: "votes" }],
    ["breaks a tie by option order [ballot.tie-first]", {}, "cba", { status: "resolved", winner: "a", by: "tie" }],
    [
      "closes when the quorum that was given is reached and one option leads [votes.quorum-closes]",
      { quorum: 1 },
      "b--",
      { status: "resolved", winner: "b", by: "votes" },
    ],
    [
      "closes whatever the others could have done",
      { quorum: 3, eligible: five },
      "bba--",
      { status: "resolved", winner: "b", by: "votes" },
    ],
    ["stays open at a tie that another vote can break", { quorum: 2 }, "ab-", { status: "open" }],
    [
      "lets the creator's own vote tip the tie [ballot.tie-creator]",
      { eligible: five.slice(0, 4), tie: "creator", creator: "v3" },
      "aabb",
      { status: "resolved", winner: "b", by: "tie" },
    ],
    [
      "falls back to option order when the creator chose none of the tied",
      { eligible: five, tie: "creator", creator: "v5" },
      "bbaac",
      { status: "resolved", winner: "a", by: "tie" },
    ],
    [
      "needs more than half of the eligible [ballot.majority-of-eligible]",
      { rule: "majority", quorum: 2, eligible: five },
      "aa---",
      { status: "open" },
    ],
    [
      "takes a majority before everyone voted",
      { rule: "majority", quorum: 3, eligible: five },
      "aaa--",
      { status: "resolved", winner: "a", by: "votes" },
    ],
    [
      "but not before quorum [ballot.quorum-given]",
      { rule: "majority", quorum: 4, eligible: five },
      "aaa--",
      { status: "open" },
    ],
    [
      "rejects when half is all anyone can get",
      { rule: "majority", eligible: five.slice(0, 4) },
      "aabb",
      { status: "rejected", reason: "No option can reach a majority any more: it takes 3 of 4 eligible voters." },
    ],
    ["stays open while a majority is possible", { rule: "majority", eligible: five }, "abc--", { status: "open" }],
    [
      "rejects a hopeless majority before everyone voted",
      { rule: "majority", eligible: five.slice(0, 4) },
      "abc-",
      { status: "rejected", reason: "No option can reach a majority any more: it takes 3 of 4 eligible voters." },
    ],
    [
      "rejects broken unanimity at once [ballot.impossible]",
      { rule: "unanimous", eligible: five },
      "ab---",
      { status: "rejected", reason: "The votes differ, so they cannot be unanimous any more." },
    ],
    ["waits for all of unanimity", { rule: "unanimous", quorum: 1 }, "aa-", { status: "open" }],
    [
      "resolves unanimity [ballot.unanimous]",
      { rule: "unanimous" },
      "bbb",
      { status: "resolved", winner: "b", by: "votes" },
    ],
    ["stays open without votes", { quorum: 1 }, "---", { status: "open" }],
  ])("%s", (_, change, choices, expected) => {
    const ballot = terms(change);
    expect(resolveBallot(ballot, ballots(choices, ballot))).toEqual(expected);
  });

  it.each<[string, Partial<BallotTerms>, string, BallotOutcome]>([
    [
      "has no winner without quorum [ballot.expiry-quorum]",
      { quorum: 3 },
      "aa-",
      { status: "expired", fallback: null },
    ],
    ["takes the fallback [ballot.expiry-fallback]", { fallback: "c" }, "aa-", { status: "expired", fallback: "c" }],
    [
      "takes the leader when quorum is met [ballot.expiry-leader]",
      { quorum: 1 },
      "b--",
      { status: "resolved", winner: "b", by: "votes" },
    ],
    ["breaks a tie when quorum is met", { quorum: 2 }, "ba-", { status: "resolved", winner: "a", by: "tie" }],
    [
      "counts a majority on the eligible, not on the votes cast",
      { rule: "majority", quorum: 1, eligible: five, fallback: "b" },
      "aa---",
      { status: "expired", fallback: "b" },
    ],
    [
      "has no unanimity while somebody is silent",
      { rule: "unanimous", quorum: 1 },
      "aa-",
      { status: "expired", fallback: null },
    ],
    ["expires without votes", { quorum: 1 }, "---", { status: "expired", fallback: null }],
  ])("at expiry %s", (_, change, choices, expected) => {
    const ballot = terms(change);
    expect(resolveBallot(ballot, ballots(choices, ballot), { expired: true })).toEqual(expected);
  });

  it("draws a random tie from the recorded seed, and every tied option can be drawn [ballot.tie-random]", () => {
    const winners = new Set<string>();
    for (let seed = 0; seed < 50; seed += 1) {
      const outcome = resolveBallot(terms({ tie: "random", seed }), ballots("abc"));
      expect(outcome).toEqual(resolveBallot(terms({ tie: "random", seed }), ballots("abc")));
      if (outcome.status === "resolved") winners.add(outcome.winner);
    }
    expect(winners).toEqual(new Set(["a", "b", "c"]));
  });

  it("counts only eligible voters and known options, each voter once", () => {
    const strangers: Vote[] = [
      { voter: "mallory", option: "b" },
      { voter: "v2", option: "zzz" },
      { voter: "v1", option: "b" },
      { voter: "v1", option: "a" },
    ];
    expect(resolveBallot(terms({ quorum: 2 }), strangers)).toEqual({ status: "open" });
    expect(tallyVotes(terms(), strangers)).toEqual([
      { option: "a", votes: 1 },
      { option: "b", votes: 0 },
      { option: "c", votes: 0 },
    ]);
  });
});

describe("castVote", () => {
  it("replaces an earlier vote and keeps the others [ballot.re-vote]", () => {
    const votes = value(castVote(terms(), ballots("ab-"), { voter: "v1", option: "C" }));
    expect(votes).toEqual([
      { voter: "v2", option: "b" },
      { voter: "v1", option: "c" },
    ]);
  });

  it("refuses a stranger", () => {
    const refusal = refused(castVote(terms(), [], { voter: "mallory", option: "a" }));
    expect(refusal).toMatchObject({ code: "forbidden", hint: expect.stringContaining("v1, v2, v3") });
  });

  it("refuses an unknown option and names the options", () => {
    const refusal = refused(castVote(terms(), [], { voter: "v1", option: "d" }));
    expect(refusal).toMatchObject({ code: "invalid", details: { options: ["a", "b", "c"] } });
  });
});

/** The rules once more, straight from their definition: who wins a ballot that is over. */
function winnerOfClosed(ballot: BallotTerms, choices: ReadonlyMap<string, string>): string | null {
  if (choices.size < ballot.quorum) return null;
  const counts = ballot.options.map(({ id }) => [...choices.values()].filter((choice) => choice === id).length);
  const most = Math.max(...counts);
  if (most === 0) return null;
  if (ballot.rule === "majority" && most * 2 <= ballot.eligible.length) return null;
  if (ballot.rule === "unanimous" && most < ballot.eligible.length) return null;
  const tied = ballot.options.map(({ id }) => id).filter((_, index) => counts[index] === most);
  const creators = choices.get(ballot.creator);
  if (ballot.tie === "random") return tied[Math.floor(seededRandom(ballot.seed)() * tied.length)] ?? null;
  if (ballot.tie === "creator" && creators !== undefined && tied.includes(creators)) return creators;
  return tied[0] ?? null;
}

function* completions(
  ballot: BallotTerms,
  choices: ReadonlyMap<string, string>,
): Generator<ReadonlyMap<string, string>> {
  const silent = ballot.eligible.filter((voter) => !choices.has(voter));
  const total = (ballot.options.length + 1) ** silent.length;
  for (let n = 0; n < total; n += 1) {
    const full = new Map(choices);
    let code = n;
    for (const voter of silent) {
      const option = ballot.options[code % (ballot.options.length + 1)];
      if (option !== undefined) full.set(voter, option.id);
      code = Math.floor(code / (ballot.options.length + 1));
    }
    yield full;
  }
}

/** Decided by a quorum with one leader or by all votes; hopeless when no completion has a winner. */
function expectedByBruteForce(ballot: BallotTerms, choices: ReadonlyMap<string, string>): string {
  const winner = winnerOfClosed(ballot, choices);
  const orders = TIE_BREAKS.flatMap((tie) => [
    winnerOfClosed({ ...ballot, tie }, choices),
    winnerOfClosed({ ...ballot, tie, options: ballot.options.toReversed() }, choices),
  ]);
  const unique = orders.every((each) => each === winner);
  if (winner !== null && (unique || choices.size === ballot.eligible.length)) return `resolved ${winner}`;
  for (const completion of completions(ballot, choices)) {
    if (winnerOfClosed(ballot, completion) !== null) return "open";
  }
  return "rejected";
}

function summary(outcome: BallotOutcome): string {
  return outcome.status === "resolved" ? `resolved ${outcome.winner}` : outcome.status;
}

describe("early decision", () => {
  const cases = BALLOT_RULES.flatMap((rule) => TIE_BREAKS.map((tie) => [rule, tie] as const));

  it.each(cases)(
    "closes with a quorum and a leader, or when no completion has a winner: %s, tie %s [ballot.early]",
    (rule, tie) => {
      let checked = 0;
      const wrong: unknown[] = [];
      for (const size of [1, 2, 3, 4]) {
        const eligible = five.slice(0, size);
        for (const optionCount of size < 4 ? [2, 3] : [2]) {
          const options = ["a", "b", "c"].slice(0, optionCount).map((id) => ({ id, label: id }));
          for (let quorum = 1; quorum <= size; quorum += 1) {
            for (const creator of [...eligible.slice(0, 1), ...eligible.slice(-1), "stranger"]) {
              for (const seed of tie === "random" ? [1, 2, 3] : [1]) {
                const ballot = terms({ rule, tie, quorum, eligible, options, creator, seed });
                for (const choices of completions(ballot, new Map())) {
                  const votes = [...choices].map(([voter, option]) => ({ voter, option }));
                  const expected = expectedByBruteForce(ballot, choices);
                  const outcome = resolveBallot(ballot, votes);
                  if (summary(outcome) !== expected) wrong.push({ ballot, votes, outcome, expected });
                  checked += 1;
                }
              }
            }
          }
        }
      }
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(checked).toBeGreaterThan(500);
    },
  );

  const election = fc
    .record({
      size: fc.integer({ min: 1, max: 5 }),
      optionCount: fc.integer({ min: 2, max: 4 }),
      rule: fc.constantFrom(...BALLOT_RULES),
      tie: fc.constantFrom(...TIE_BREAKS),
      seed: fc.nat(),
      creator: fc.constantFrom("v1", "v3", "v5", "stranger"),
      quorumShare: fc.double({ min: 0, max: 1, noNaN: true }),
      choices: fc.array(fc.constantFrom("a", "b", "c", "d", "-"), { minLength: 5, maxLength: 5 }),
      fallback: fc.constantFrom(null, "a"),
    })
    .map(({ size, optionCount, quorumShare, choices, ...rest }) => {
      const options = ["a", "b", "c", "d"].slice(0, optionCount).map((id) => ({ id, label: id }));
      const ballot = terms({
        ...rest,
        options,
        eligible: five.slice(0, size),
        quorum: Math.max(1, Math.round(quorumShare * size)),
      });
      const votes = ballots(choices.slice(0, size).join(""), ballot).filter((vote) =>
        options.some(({ id }) => id === vote.option),
      );
      return { ballot, votes };
    });

  it("equals brute force on random ballots", () => {
    fc.assert(
      fc.property(election, ({ ballot, votes }) => {
        const choices = new Map(votes.map(({ voter, option }) => [voter, option]));
        expect(summary(resolveBallot(ballot, votes))).toBe(expectedByBruteForce(ballot, choices));
      }),
      runs(300),
    );
  });

  it("does not depend on the order of the votes", () => {
    fc.assert(
      fc.property(election, fc.boolean(), fc.nat(), ({ ballot, votes }, expired, seed) => {
        const random = seededRandom(seed);
        const shuffled = votes.map((vote) => ({ vote, key: random() })).toSorted((a, b) => a.key - b.key);
        const outcome = resolveBallot(
          ballot,
          shuffled.map(({ vote }) => vote),
          { expired },
        );
        expect(outcome).toEqual(resolveBallot(ballot, votes, { expired }));
      }),
      runs(300),
    );
  });

  it("never has a winner without quorum, and expiry always closes", () => {
    fc.assert(
      fc.property(election, fc.boolean(), ({ ballot, votes }, expired) => {
        const outcome = resolveBallot(ballot, votes, { expired });
        expect(outcome.status === "resolved" && votes.length < ballot.quorum).toBe(false);
        expect(outcome.status === "open" && expired).toBe(false);
        expect(outcome.status === "expired" && outcome.fallback !== ballot.fallback).toBe(false);
      }),
      runs(500),
    );
  });

  it("never changes its mind: further votes of the silent do not help a ballot that nobody can win", () => {
    fc.assert(
      fc.property(election, fc.constantFrom("a", "b"), ({ ballot, votes }, option) => {
        const outcome = resolveBallot(ballot, votes);
        const silent = ballot.eligible.find((voter) => !votes.some((vote) => vote.voter === voter));
        if (outcome.status !== "rejected" || silent === undefined) return;
        expect(summary(resolveBallot(ballot, [...votes, { voter: silent, option }]))).toBe(summary(outcome));
      }),
      runs(300),
    );
  });
});
