import { z } from "zod";
import { declareProposal } from "../operation.ts";

export const retryRun = declareProposal({
  name: "retry-run",
  summary:
    "Ask again from a step of a run, with another model or system prompt: in a new run of an agent in memory, apart from the conversation.",
  method: "POST",
  path: "/runs/:id/retry",
  input: z.object({
    id: z.string().describe("Id of a run."),
    fromStep: z
      .int()
      .positive()
      .default(1)
      .describe("The first step to make again. The steps before it stay as they were. 1: all of them."),
    model: z.string().min(1).optional().describe("Absent: the model of the agent."),
    system: z.string().min(1).optional().describe("Another system prompt. Absent: that of the agent."),
  }),
  output: z.object({
    /** The agent in memory that answers in its direct messages. It is gone when the daemon ends. */
    agent: z.string(),
    /** Id of the message that asks again. */
    message: z.string(),
    /** Id of the new run. Null when it has yet to begin, because all steps are made again. */
    run: z.string().nullable(),
  }),
});
