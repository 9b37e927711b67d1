import { z } from "zod";
import { deliveryListInput, deliveryListOutput } from "./inbox.ts";
import { declareProposal, declareQuery } from "./operation.ts";

/** The input of `retry-dead-letter` and `drop-dead-letter`. */
export const deadLetterInput = z.object({
  id: z.string().describe("Id of the delivery, from the list of dead letters."),
  target: z.string().optional().describe("Refused unless it is there: @review"),
});

export const deadLetterOutput = z.object({ id: z.string(), agent: z.string(), space: z.string() });

export const listDeadLetters = declareQuery({
  name: "list-dead-letters",
  summary: "List the deliveries that were given up, newest first, with the message, the attempts and the last error.",
  method: "GET",
  path: "/dead",
  personTool: "dead_list",
  input: deliveryListInput,
  output: deliveryListOutput,
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
