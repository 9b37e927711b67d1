import type { BallotView } from "../../contract/ballots.ts";
import type { BallotOutcome } from "../../domain/ballot/ballot.ts";
import { tallyVotes } from "../../domain/ballot/resolve.ts";
import type { BallotRecord, VoteRecord } from "../../ports/store/ballot.ts";
import { consequenceText } from "./consequence-text.ts";

export function toBallotView(ballot: BallotRecord, votes: readonly VoteRecord[]): BallotView {
  const { id, space, title, state, binding, terms, outcome, effect } = ballot;
  const counts = new Map(tallyVotes(terms, votes).map((line) => [line.option, line.votes]));
  const voted = new Set(votes.map(({ voter }) => voter));
  return {
    id,
    space,
    type: terms.type,
    title,
    creator: terms.creator,
    state,
    options: terms.options.map((option) => ({
      id: option.id,
      label: option.label,
      then: option.then ?? null,
      follows: option.then === undefined ? null : consequenceText(option.then),
      votes: counts.get(option.id) ?? 0,
    })),
    resolution: terms.rule,
    quorum: terms.quorum,
    tie: terms.tie,
    fallback: terms.fallback,
    binding,
    voters: [...terms.eligible],
    missing: terms.eligible.filter((voter) => !voted.has(voter)),
    votes: votes.map((vote) => ({ ...vote, at: new Date(vote.at).toISOString() })),
    winner: chosenOption(outcome),
    reason: outcome?.status === "rejected" ? outcome.reason : null,
    effect,
    openedAt: new Date(ballot.openedAt).toISOString(),
    expiresAt: new Date(ballot.expiresAt).toISOString(),
    closedAt: ballot.closedAt === null ? null : new Date(ballot.closedAt).toISOString(),
  };
}

/** Returns the winner, or the fallback of an expired ballot; null when there is neither. */
export function chosenOption(outcome: BallotOutcome | null): string | null {
  if (outcome?.status === "resolved") return outcome.winner;
  return outcome?.status === "expired" ? outcome.fallback : null;
}
