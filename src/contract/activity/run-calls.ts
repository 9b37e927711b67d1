import { z } from "zod";
import { declareQuery } from "../operation.ts";
import { toolCallView } from "../runs.ts";

/** The tool calls of one run, as a conversation shows them between its messages. */
export const runCallsView = z.object({
  run: z.string(),
  agent: z.string(),
  /** It has ended, so that a call without a result was never made. */
  ended: z.boolean(),
  startedAt: z.iso.datetime(),
  /** Only steps that called a tool. */
  steps: z.array(z.object({ number: z.int(), finishedAt: z.iso.datetime(), calls: z.array(toolCallView) })),
});
export type RunCallsView = z.output<typeof runCallsView>;

export const listCalls = declareQuery({
  name: "list-calls",
  summary: "List the tool calls that runs made in a workspace or in the direct messages of an agent, newest run first.",
  method: "GET",
  path: "/calls",
  input: z.object({
    target: z.string().describe("alice or @review"),
    before: z.string().optional().describe("Only those before the run of this id: the `next` of the answer before."),
    limit: z.int().min(1).max(200).default(50).describe("How many runs are looked at."),
  }),
  output: z.object({
    /** Runs without a tool call are left out. */
    runs: z.array(runCallsView),
    /** Pass it as `before` for earlier ones; null when there are none. */
    next: z.string().nullable(),
  }),
});
