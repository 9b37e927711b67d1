import { z } from "zod";

/** Ballots as every face shows them. */
export const ballotConsequence = z.object({
  propose: z.string().describe("Name of an operation a ballot may decide about."),
  data: z.unknown().describe("Its input."),
});

const ballotOptionView = z.object({
  id: z.string(),
  label: z.string(),
  /** What follows when it wins and the ballot is binding. */
  then: ballotConsequence.nullable(),
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
  /** How many must vote before there can be a winner. */
  quorum: z.int(),
  tie: z.enum(["first", "random", "creator"]),
  /** The option taken when time runs out, or null for none. */
  fallback: z.string().nullable(),
  binding: z.boolean(),
  voters: z.array(z.string()),
  /** Voters who have not voted. */
  missing: z.array(z.string()),
  /** In the order of the last vote of each voter. */
  votes: z.array(voteView),
  /** The option that was chosen, by votes or as the fallback; null while there is none. */
  winner: z.string().nullable(),
  /** Why there is no winner, when there will be none. */
  reason: z.string().nullable(),
  /** What a binding ballot did when it was decided, and why that was refused if it was. */
  effect: z.object({ propose: z.string(), refused: z.string().nullable() }).nullable(),
  openedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
});
export type BallotView = z.output<typeof ballotView>;
