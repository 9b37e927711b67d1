import { z } from "zod";
import { BALLOT_RULES, BALLOT_TYPES, TIE_BREAKS } from "../domain/ballot/ballot.ts";
import { declareProposal, declareQuery } from "./operation.ts";

/** The operation that follows when an option wins. Without a target of its own it acts in the workspace of the ballot. */
export const ballotConsequence = z.object({
  propose: z.string().describe("Name of an operation a ballot may decide about."),
  data: z.unknown().describe("Its input."),
});

const ballotOptionView = z.object({
  id: z.string(),
  label: z.string(),
  /** Runs when the option wins a binding ballot. */
  then: ballotConsequence.nullable(),
  /** The same in words. Null when nothing follows. */
  follows: z.string().nullable(),
  votes: z.int(),
});

const voteView = z.object({
  voter: z.string(),
  option: z.string(),
  reason: z.string().nullable(),
  at: z.iso.datetime(),
});

export const ballotView = z.object({
  id: z.string(),
  space: z.string(),
  type: z.enum(["election", "decision", "approval", "assignment"]),
  title: z.string(),
  creator: z.string(),
  state: z.enum(["open", "resolved", "rejected", "expired", "cancelled"]),
  options: z.array(ballotOptionView),
  resolution: z.enum(["plurality", "majority", "unanimous"]),
  /** How many voters must vote before there can be a winner. */
  quorum: z.int(),
  tie: z.enum(["first", "random", "creator"]),
  /** The option that is chosen when the ballot expires. Null when there is none. */
  fallback: z.string().nullable(),
  binding: z.boolean(),
  voters: z.array(z.string()),
  /** Voters who have not voted. */
  missing: z.array(z.string()),
  /** In the order of the last vote of each voter. */
  votes: z.array(voteView),
  /** The option that was chosen, by votes or as the fallback. Null when there is none. */
  winner: z.string().nullable(),
  /** Why a rejected ballot has no winner. Null otherwise. */
  reason: z.string().nullable(),
  /** The operation that followed from a binding ballot, and why it was refused. Null when none followed. */
  effect: z.object({ propose: z.string(), refused: z.string().nullable() }).nullable(),
  openedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
});
export type BallotView = z.output<typeof ballotView>;

const MAX_TITLE = 200;
const MAX_REASON = 500;
const MAX_VOTERS = 1000;
const DEFAULT_TIMEOUT = "1h";

const line = z.string().transform((text) => text.replace(/\s+/gu, " ").trim());

export const proposedOption = z.union([
  line,
  z.object({
    id: z.string().optional(),
    label: line,
    then: z.union([z.string(), ballotConsequence]).optional().describe("For this option only; as then of the ballot."),
  }),
]);

export const listBallots = declareQuery({
  name: "list-ballots",
  summary: "List the ballots of a workspace, newest first: the open ones, or all.",
  personTool: "proposal_list",
  method: "GET",
  path: "/proposals",
  input: z.object({
    target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out."),
    all: z.boolean().default(false).describe("Closed ones too."),
    limit: z.int().min(1).max(500).default(50),
  }),
  output: z.object({ ballots: z.array(ballotView) }),
});

export const createBallot = declareProposal({
  name: "create-ballot",
  summary: "Ask the team to decide: an election, a decision, an approval or an assignment, by vote.",
  personTool: "proposal_create",
  method: "POST",
  path: "/proposals",
  input: z.object({
    target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out."),
    type: z.enum(BALLOT_TYPES),
    title: line.pipe(z.string().min(1, "the title is empty").max(MAX_TITLE, "the title is too long")),
    options: z.array(proposedOption).optional().describe("Labels; an approval needs none: approve and reject."),
    resolution: z.enum(BALLOT_RULES).optional().describe("plurality (default), majority or unanimous"),
    quorum: z.int().optional().describe("Decided when so many have voted; default: everyone."),
    timeout: z.string().default(DEFAULT_TIMEOUT).describe('How long it stays open, such as "30m".'),
    then: z
      .string()
      .optional()
      .describe('What is done with the chosen participant: "document-owner", "role: ROLE" or "assign: TASK".'),
    binding: z.boolean().optional().describe("Do what follows from the winner; default: yes, if anything does."),
    tie: z.enum(TIE_BREAKS).optional(),
    fallback: z.string().optional().describe("The option taken when time runs out."),
    voters: z.array(z.string()).max(MAX_VOTERS).optional().describe("Default: every participant. user = the person."),
  }),
  output: ballotView,
});

export const showBallot = declareQuery({
  name: "show-ballot",
  summary: "Show one ballot, open or closed: its tally, the votes with their reasons, and who has not voted.",
  personTool: "proposal_show",
  method: "GET",
  path: "/proposals/:id",
  input: z.object({ id: z.string() }),
  output: ballotView,
});

export const castVote = declareProposal({
  name: "cast-vote",
  summary: "Vote in a ballot. Voting again replaces your earlier vote.",
  personTool: "proposal_vote",
  method: "POST",
  path: "/proposals/:id/votes",
  input: z.object({
    id: z.string(),
    option: z.string().describe("Id or label of the option."),
    reason: z
      .string()
      .max(MAX_REASON, "the reason is too long")
      .transform((text) => text.replace(/\s+/gu, " ").trim())
      .optional(),
    target: z.string().optional().describe("Refused unless it is there: @review"),
  }),
  output: ballotView,
});

export const cancelBallot = declareProposal({
  name: "cancel-ballot",
  summary: "Cancel an open ballot: whoever opened it may, and a person may.",
  personTool: "proposal_cancel",
  method: "DELETE",
  path: "/proposals/:id",
  input: z.object({
    id: z.string(),
    target: z.string().optional().describe("Refused unless it is there: @review"),
  }),
  output: ballotView,
});
