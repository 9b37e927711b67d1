import type { BallotOutcome } from "../../domain/ballot/ballot.ts";
import type { BallotRecord, VoteRecord } from "../../ports/store/ballot.ts";

/** Texts of the notices about ballots. Titles and reasons are single lines, so that none can imitate a notice. */
export function openingNotice(ballot: BallotRecord): string {
  const { terms } = ballot;
  const options = terms.options.map(({ id, label }) => (id === label ? id : `${id} (${label})`)).join(", ");
  return [
    `${terms.creator} opened ${ballotName(ballot)}: ${terms.type}${ballot.binding ? ", binding" : ""}.`,
    `Options: ${options}.`,
    `Voters: ${terms.eligible.map((voter) => `@${voter}`).join(", ")}; ${terms.rule}, quorum ${terms.quorum}, ` +
      `open until ${new Date(ballot.expiresAt).toISOString()}.`,
    `Vote with proposal_vote {"id": "${ballot.id}", "option": "..."}.`,
  ].join("\n");
}

export function voteNotice(ballot: BallotRecord, vote: VoteRecord, cast: number, again: boolean): string {
  const reason = vote.reason === null ? "" : ` Reason: ${vote.reason}`;
  const verb = again ? "changed its vote to" : "voted for";
  return `${vote.voter} ${verb} "${vote.option}" in ${ballotName(ballot)} (${cast} of ${ballot.terms.eligible.length}).${reason}`;
}

export function outcomeNotice(ballot: BallotRecord, outcome: BallotOutcome): string {
  switch (outcome.status) {
    case "resolved":
      return `Decided: "${outcome.winner}" wins ${ballotName(ballot)}${outcome.by === "tie" ? `, a tie broken by ${ballot.terms.tie}` : ""}.`;
    case "rejected":
      return `Without a winner: ${ballotName(ballot)}. ${outcome.reason}`;
    case "expired":
      return outcome.fallback === null
        ? `Out of time: ${ballotName(ballot)} ends without a winner.`
        : `Out of time: ${ballotName(ballot)} ends with its fallback "${outcome.fallback}".`;
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
