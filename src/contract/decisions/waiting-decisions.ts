import { z } from "zod";
import { approvalView } from "../approvals.ts";
import { ballotView } from "../ballots.ts";
import { suggestionView } from "../documents.ts";
import { deliveryView } from "../inbox.ts";
import { declareQuery } from "../operation.ts";
import { memoryChangeView } from "../personal/memory-changes.ts";
import { soulProposalView } from "../souls.ts";

/** Everything that waits for a decision of a person, by kind. Each list is oldest first. */
export const waitingDecisionsView = z.object({
  approvals: z.array(approvalView),
  /** The open ones of every open workspace, also those in which the person has no vote left. */
  ballots: z.array(ballotView),
  suggestions: z.array(suggestionView),
  souls: z.array(soulProposalView),
  memories: z.array(memoryChangeView),
  deadLetters: z.array(deliveryView),
  /** How many of them only the person can decide: all but the ballots in which the person has voted or has no vote. */
  awaiting: z.int(),
});
export type WaitingDecisionsView = z.output<typeof waitingDecisionsView>;

export const listDecisions = declareQuery({
  name: "list-decisions",
  summary:
    "List everything that waits for a person: approvals, ballots, suggestions, changes of souls, questions about memories and dead letters.",
  method: "GET",
  path: "/decisions",
  input: z.object({
    target: z.string().optional().describe("@review, or an agent for its direct messages; absent: everywhere."),
    limit: z.int().min(1).max(500).default(500).describe("At most so many of each kind, the newest."),
  }),
  output: waitingDecisionsView,
});
