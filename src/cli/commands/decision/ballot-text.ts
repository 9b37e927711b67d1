import type { BallotView } from "../../../contract/ballots.ts";
import { firstLine } from "../../output/visible-text.ts";

export function ballotLine({ id, title, type, state, winner, options, votes, voters }: BallotView): string {
  const chosen = options.find((option) => option.id === winner);
  const outcome = chosen === undefined ? state : `${state}: ${firstLine(chosen.label)}`;
  return `${id}  ${firstLine(title)} (${type}, ${outcome}; ${votes.length} of ${voters.length} voted)\n`;
}

/** The ballot with its options, votes and outcome. */
export function ballotText(ballot: BallotView): string {
  const { options, votes, missing, resolution, quorum, state, expiresAt, reason, effect, binding } = ballot;
  const label = (id: string): string => firstLine(options.find((option) => option.id === id)?.label ?? id);
  const lines = [
    ...options.map(({ id, votes: count, follows }) => {
      const then = follows === null || !binding ? "" : ` (then ${firstLine(follows)})`;
      return `  ${String(count).padStart(3)}  ${label(id)}${then}`;
    }),
    `  by ${resolution}, ${quorum} must vote${state === "open" ? `, open until ${expiresAt}` : ""}`,
    ...votes.map(
      ({ voter, option, reason: why }) =>
        `  ${voter} votes ${label(option)}${why === null ? "" : `: ${firstLine(why)}`}`,
    ),
    ...(missing.length === 0 ? [] : [`  not yet: ${missing.join(", ")}`]),
    ...(reason === null ? [] : [`  ${firstLine(reason)}`]),
    ...(effect === null ? [] : [effectLine(effect)]),
  ];
  return `${ballotLine(ballot)}${lines.join("\n")}\n`;
}

function effectLine({ propose, refused }: NonNullable<BallotView["effect"]>): string {
  return refused === null ? `  done: ${propose}` : `  ${propose} was refused: ${firstLine(refused)}`;
}
