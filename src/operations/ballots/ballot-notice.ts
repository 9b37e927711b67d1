import type { BallotOutcome } from "../../domain/ballot/ballot.ts";
import type { BallotRecord, VoteRecord } from "../../ports/store/ballot.ts";
import { consequenceText } from "./consequence-text.ts";

/** Texts of the notices about ballots. Titles and reasons are single lines, so that none can imitate a notice. */
export function openingNotice(ballot: BallotRecord): string {
  const { terms } = ballot;
  const options = terms.options.map(({ id, label }) => (id === label ? id : `${id} (${label})`)).join(", ");
  const follows = terms.options.flatMap(({ id, then }) =>
    then === undefined ? [] : `${id}: ${consequenceText(then)}`,
  );
  return [
    `${terms.creator} opened ${ballotName(ballot)}: ${terms.type}${ballot.binding ? ", binding" : ""}.`,
    `Options: ${options}.`,
    ...(ballot.binding ? [`What follows: ${follows.join("; ")}.`] : []),
    `Voters: ${terms.eligible.map((voter) => `@${voter}`).join(", ")}; ${terms.rule}, quorum ${terms.quorum}, ` +
      `open until ${new Date(ballot.expiresAt).toISOString()}` +
      `${terms.fallback === null ? "" : `, then "${terms.fallback}"`}.`,
    `Vote with proposal_vote {"id": "${ballot.id}", "option": "..."}.`,
  ].join("\n");
}

export function voteNotice(ballot: BallotRecord, vote: VoteRecord, cast: number, again: boolean): string {
  const reason = vote.reason === null ? "" : ` Reason: ${vote.reason}`;
  const verb = again ? "changed its vote to" : "voted for";
  return `${vote.voter} ${verb} "${vote.option}" in ${ballotName(ballot)} (${cast} of ${ballot.terms.eligible.length}).${reason}`;
}

export function reminderNotice(ballot: BallotRecord, missing: readonly string[]): string {
  return [
    `Not voted yet on ${ballotName(ballot)}: ${missing.map((voter) => `@${voter}`).join(", ")}.`,
    `Options: ${ballot.terms.options.map(({ id }) => id).join(", ")}. ` +
      `Vote with proposal_vote {"id": "${ballot.id}", "option": "..."}. There is no second reminder.`,
  ].join("\n");
}

export function outcomeNotice(ballot: BallotRecord, outcome: BallotOutcome, now: number): string {
  switch (outcome.status) {
    case "resolved":
      return `Decided: "${outcome.winner}" wins ${ballotName(ballot)}${outcome.by === "tie" ? `, a tie broken by ${ballot.terms.tie}` : ""}.`;
    case "rejected":
      return `Without a winner: ${ballotName(ballot)}. ${outcome.reason}`;
    case "expired": {
      const why = now < ballot.expiresAt ? "Nobody else votes" : "Out of time";
      return outcome.fallback === null
        ? `${why}: ${ballotName(ballot)} ends without a winner.`
        : `${why}: ${ballotName(ballot)} ends with its fallback "${outcome.fallback}".`;
    }
    case "open":
      return `Still open: ${ballotName(ballot)}.`;
  }
}

export function cancelNotice(ballot: BallotRecord, by: string, reason: string | null): string {
  return `${by} cancelled ${ballotName(ballot)}${reason === null ? "" : `: ${reason}`}.`;
}

export function refusedEffectNotice(ballot: BallotRecord, propose: string, reason: string): string {
  return `What ${ballotName(ballot)} decided could not be done: ${propose} was refused. ${reason}`;
}

function ballotName({ title, id }: BallotRecord): string {
  return `the ballot "${title}" (${id})`;
}
