import { z } from "zod";
import { deliveryListInput, deliveryView } from "./inbox.ts";
import { declareProposal, declareQuery } from "./operation.ts";

/** The input of `retry-dead-letter` and `drop-dead-letter`. */
export const deadLetterInput = z.object({
  id: z.string().describe("Id of the delivery, from the list of dead letters."),
  target: z.string().optional().describe("Refused unless it is there: @review"),
});

export const deadLetterOutput = z.object({ id: z.string(), agent: z.string(), space: z.string() });

const filter = {
  agent: z.string().optional().describe("Only those of this agent, in whichever workspace."),
  since: z.iso.datetime().optional().describe("Only of messages that were sent at this time or later."),
  before: z.string().optional().describe("Only those after this one in the list: the id of the last one you have."),
};

export const listDeadLetters = declareQuery({
  name: "list-dead-letters",
  summary: "List the deliveries that were given up, newest first, with the message, the attempts and the last error.",
  method: "GET",
  path: "/dead",
  personTool: "dead_list",
  input: deliveryListInput.extend(filter),
  output: z.object({
    deliveries: z.array(deliveryView),
    /** How many there are in all, of those that were asked for. */
    total: z.int(),
  }),
});

export const retryDeadLetter = declareProposal({
  name: "retry-dead-letter",
  summary: "Deliver a dead letter once more, with all its attempts to use again.",
  method: "POST",
  path: "/dead/:id/retry",
  personTool: "dead_retry",
  input: deadLetterInput,
  output: deadLetterOutput,
});

export const dropDeadLetter = declareProposal({
  name: "drop-dead-letter",
  summary: "Give up on a dead letter for good. Its message stays in the channel.",
  method: "DELETE",
  path: "/dead/:id",
  personTool: "dead_drop",
  input: deadLetterInput,
  output: deadLetterOutput,
});

/** The input of `retry-dead-letters` and `drop-dead-letters`. */
export const deadLettersInput = z.object({
  target: z.string().optional().describe("@review, or an agent for its direct messages; absent: everywhere."),
  ...filter,
  limit: z.int().min(1).max(200).default(100).describe("At most so many at once, so that nothing else waits for it."),
});

export const deadLettersOutput = z.object({
  /** How many were settled. */
  settled: z.int(),
  /** Those that stay, and why. */
  refused: z.array(z.object({ id: z.string(), reason: z.string() })),
  /** Pass it as `before` to go on; null when this was the last one. */
  next: z.string().nullable(),
});

export const retryDeadLetters = declareProposal({
  name: "retry-dead-letters",
  summary: "Deliver many dead letters once more, newest first, a part at a time.",
  method: "POST",
  path: "/dead/retry",
  input: deadLettersInput,
  output: deadLettersOutput,
});

export const dropDeadLetters = declareProposal({
  name: "drop-dead-letters",
  summary: "Give up on many dead letters for good, newest first, a part at a time.",
  method: "POST",
  path: "/dead/drop",
  input: deadLettersInput,
  output: deadLettersOutput,
});
