import type { BallotView } from "../../contract/ballots.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { teamTool } from "../tools/team-tool.ts";
import { cancelBallot } from "./cancel-ballot.ts";
import { castVote } from "./cast-vote.ts";
import { createBallot } from "./create-ballot.ts";
import { listBallots } from "./list-ballots.ts";
import { showBallot } from "./show-ballot.ts";

const { target: _, tie: _tie, fallback: _fallback, ...createFields } = createBallot.input.shape;
const id = showBallot.input.shape.id.describe("bal_...");
const then = '"document-owner", "role: ROLE" or "assign: TASK" for the chosen participant.';

export const ballotTools = [
  teamTool({
    name: "proposal_create",
    description: "Let the team decide by vote.",
    input: {
      ...createFields,
      resolution: createFields.resolution.describe("Default: plurality."),
      quorum: createFields.quorum.describe("Votes needed. Default: all."),
      timeout: createFields.timeout.describe(""),
      then: createFields.then.describe(then),
      voters: createFields.voters.describe("Default: the team."),
    },
    // An option may also be an object, with what follows from it.
    shown: {
      options: { type: "array", items: { type: "string" }, description: "Not for an approval." },
      binding: null,
    },
    uses: [createBallot],
    returnsUntrusted: false,
    call: (args, ask) => ask(createBallot, args, ballotText),
  }),
  teamTool({
    name: "proposal_vote",
    description: "Vote on a proposal, or change your vote.",
    input: { id, option: castVote.input.shape.option, reason: castVote.input.shape.reason },
    uses: [castVote],
    returnsUntrusted: false,
    call: (args, ask) => ask(castVote, args, ballotText),
  }),
  teamTool({
    name: "proposal_status",
    description: "Show a proposal and its votes; without `id`, all open ones.",
    input: { id: id.optional() },
    uses: [showBallot, listBallots],
    call: ({ id: one }, ask) =>
      one === undefined
        ? ask(listBallots, {}, ({ ballots }) => ballots.map(ballotText).join("\n\n") || "No open proposals.")
        : ask(showBallot, { id: one }, ballotText),
  }),
  teamTool({
    name: "proposal_cancel",
    description: "Cancel an open proposal that you made.",
    input: { id },
    uses: [cancelBallot],
    returnsUntrusted: false,
    call: (args, ask) => ask(cancelBallot, args, ballotText),
  }),
];

function ballotText(ballot: BallotView): string {
  const { options, votes, voters, missing, quorum, resolution } = ballot;
  const reasons = votes.map(
    ({ voter, option, reason }) => `${voter}: ${option}${reason === null ? "" : ` (${asLine(reason)})`}`,
  );
  const lines = [
    `${ballot.id} "${asLine(ballot.title)}": ${ballot.type} by ${ballot.creator}, ${ballot.state}`,
    ...options.map(
      (option) =>
        `- ${option.id}: ${asLine(option.label)}, votes: ${option.votes}` +
        `${option.follows === null || !ballot.binding ? "" : `, then ${asLine(option.follows)}`}`,
    ),
    `Rule: ${resolution}, ${quorum} of ${voters.length} must vote.${votes.length === 0 ? "" : ` Votes: ${reasons.join("; ")}.`}`,
  ];
  if (ballot.state === "open")
    lines.push(`Open until ${ballot.expiresAt}. Not voted yet: ${missing.join(", ") || "nobody"}.`);
  if (ballot.winner !== null) lines.push(`Chosen: ${ballot.winner}.`);
  if (ballot.reason !== null) lines.push(`No winner: ${ballot.reason}`);
  if (ballot.effect !== null) {
    const { propose, refused } = ballot.effect;
    lines.push(refused === null ? `Done because of it: ${propose}.` : `${propose} was refused: ${asLine(refused)}`);
  }
  return lines.join("\n");
}
