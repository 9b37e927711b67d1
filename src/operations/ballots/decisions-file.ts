import type { BallotRecord, VoteRecord } from "../../ports/store/ballot.ts";
import { chosenOption, toBallotView } from "./view.ts";

/** A document of the workspace that lists its decisions for people. The store is authoritative. */
export const DECISIONS_FILE = "decisions.md";

const HEADING = "# Decisions\n";

/** Returns the text with the missing ballots appended. Appending one twice changes nothing. */
export function withDecisions(
  text: string,
  decided: readonly { readonly ballot: BallotRecord; readonly votes: readonly VoteRecord[] }[],
): string {
  const entries = decided
    .filter(({ ballot }) => !text.includes(markerOf(ballot)))
    .map(({ ballot, votes }) => entry(ballot, votes));
  if (entries.length === 0) return text;
  return [text.trim() === "" ? HEADING : text.trimEnd() + "\n", ...entries].join("\n");
}

/** Ids are unique, so a file with this text contains the ballot. */
function markerOf({ id }: BallotRecord): string {
  return `Ballot ${id},`;
}

function entry(ballot: BallotRecord, votes: readonly VoteRecord[]): string {
  const view = toBallotView(ballot, votes);
  const chosen = view.options.find(({ id }) => id === chosenOption(ballot.outcome));
  const tally = view.options.map(({ label, votes: count }) => `${label}: ${count}`).join(", ");
  const lines = [
    `## ${view.title}`,
    "",
    `${markerOf(ballot)} ${view.type} by ${view.creator}, ${view.state} ${view.closedAt ?? ""}`.trimEnd(),
    "",
    `- Outcome: ${chosen?.label ?? "no winner"}${view.state === "expired" && chosen !== undefined ? " (fallback)" : ""}`,
    ...(view.reason === null ? [] : [`- Why: ${view.reason}`]),
    `- Votes: ${tally}; ${view.votes.length} of ${view.voters.length} voted (${view.resolution}, quorum ${view.quorum})`,
    ...view.votes.map(({ voter, option, reason }) => `  - ${voter}: ${option}${reason === null ? "" : ` (${reason})`}`),
    ...(view.effect === null ? [] : [`- ${effectLine(view.effect)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function effectLine({ propose, refused }: { readonly propose: string; readonly refused: string | null }): string {
  return refused === null ? `Done: ${propose}` : `Refused: ${propose}. ${refused}`;
}
