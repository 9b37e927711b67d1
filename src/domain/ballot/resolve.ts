import { seededRandom } from "../../kernel/random.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { BallotOutcome, BallotTerms, Vote } from "./ballot.ts";
import { findOption } from "./terms.ts";

/**
 * Decides a ballot. It closes when its quorum is reached and its rule names a winner, or when no option can win any more.
 * A tie names no winner while somebody can still break it with a vote. Votes already cast count as final, although they
 * may be replaced while the ballot is open. Invariants: no winner without quorum; majority and unanimity are relative to
 * the eligible voters, not to the votes cast; the order of votes does not matter.
 */
export function resolveBallot(
  terms: BallotTerms,
  votes: readonly Vote[],
  { expired = false }: { readonly expired?: boolean } = {},
): BallotOutcome {
  const cast = countedVotes(terms, votes);
  const missing = terms.eligible.length - cast.size;

  const impossible = whyNoOptionCanWin(terms, cast, missing);
  if (impossible !== null) return { status: "rejected", reason: impossible };

  if (cast.size >= terms.quorum) {
    const leader = leadingOption(terms, cast);
    if (leader !== null && (leader.by === "votes" || missing === 0 || expired)) {
      return { status: "resolved", winner: leader.option, by: leader.by };
    }
  }
  return expired ? { status: "expired", fallback: terms.fallback } : { status: "open" };
}

/** Adds a vote, or replaces the voter's earlier one. The caller checks that the ballot is still open. */
export function castVote(terms: BallotTerms, votes: readonly Vote[], vote: Vote): Result<Vote[], Refusal> {
  if (!terms.eligible.includes(vote.voter)) {
    return refuse("forbidden", `"${vote.voter}" may not vote on this ballot.`, {
      hint: `Eligible voters: ${terms.eligible.join(", ")}. They were fixed when the ballot was created.`,
    });
  }
  const option = findOption(terms.options, vote.option);
  if (!option.ok) return option;
  const others = votes.filter(({ voter }) => voter !== vote.voter);
  return ok([...others, { voter: vote.voter, option: option.value.id }]);
}

export interface TallyLine {
  readonly option: string;
  readonly votes: number;
}

/** Returns the votes per option, in option order. */
export function tallyVotes(terms: BallotTerms, votes: readonly Vote[]): TallyLine[] {
  return tally(terms, countedVotes(terms, votes));
}

/** Option by voter: the last valid vote of each eligible voter. */
type CastVotes = ReadonlyMap<string, string>;

function countedVotes(terms: BallotTerms, votes: readonly Vote[]): CastVotes {
  const options = new Set(terms.options.map(({ id }) => id));
  const eligible = new Set(terms.eligible);
  return new Map(
    votes.filter((vote) => eligible.has(vote.voter) && options.has(vote.option)).map((v) => [v.voter, v.option]),
  );
}

function tally(terms: BallotTerms, cast: CastVotes): TallyLine[] {
  const counts = new Map<string, number>();
  for (const option of cast.values()) counts.set(option, (counts.get(option) ?? 0) + 1);
  return terms.options.map(({ id }) => ({ option: id, votes: counts.get(id) ?? 0 }));
}

function votesNeeded(terms: BallotTerms): number {
  if (terms.rule === "majority") return Math.floor(terms.eligible.length / 2) + 1;
  return terms.rule === "unanimous" ? terms.eligible.length : 1;
}

function whyNoOptionCanWin(terms: BallotTerms, cast: CastVotes, missing: number): string | null {
  const most = Math.max(...tally(terms, cast).map(({ votes }) => votes));
  const needed = votesNeeded(terms);
  if (most + missing >= needed) return null;
  return terms.rule === "unanimous"
    ? "The votes differ, so they cannot be unanimous any more."
    : `No option can reach a majority any more: it takes ${needed} of ${terms.eligible.length} eligible voters.`;
}

/** Returns the winner if there are no further votes, without regard to the quorum. */
function leadingOption(terms: BallotTerms, cast: CastVotes): { option: string; by: "votes" | "tie" } | null {
  const lines = tally(terms, cast);
  const most = Math.max(...lines.map(({ votes }) => votes));
  if (most < votesNeeded(terms)) return null;
  const tied = lines.filter(({ votes }) => votes === most).map(({ option }) => option);
  return { option: breakTie(terms, cast, tied), by: tied.length === 1 ? "votes" : "tie" };
}

/** `tied` is in option order and never empty. */
function breakTie(terms: BallotTerms, cast: CastVotes, tied: readonly string[]): string {
  const first = tied[0] ?? "";
  if (tied.length <= 1) return first;
  if (terms.tie === "random") return tied[Math.floor(seededRandom(terms.seed)() * tied.length)] ?? first;
  const favourite = cast.get(terms.creator);
  if (terms.tie === "creator" && favourite !== undefined && tied.includes(favourite)) return favourite;
  return first;
}
