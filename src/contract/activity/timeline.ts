import { z } from "zod";
import { declareQuery } from "../operation.ts";
import { runView } from "../runs.ts";

/** A step on a timeline. What is between two steps is waiting. */
export const timedStepView = z.object({
  number: z.int(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** How much of it the tools took. Null when it is not known. */
  toolMs: z.int().nullable(),
  tools: z.array(z.string()),
});

/** A run with what woke it, and when it did what. */
export const timedRunView = runView.extend({
  /** Null when the message is not stored any more. */
  wokenBy: z
    .object({
      from: z.string(),
      message: z.string(),
      seq: z.int(),
      at: z.iso.datetime(),
      /** The run that wrote the message; null for a person or the system. */
      run: z.string().nullable(),
      /** The beginning of what was said. */
      excerpt: z.string(),
    })
    .nullable(),
  /** Id of the first message of its chain. */
  root: z.string(),
  steps: z.array(timedStepView),
});
export type TimedRunView = z.output<typeof timedRunView>;

export const showTimeline = declareQuery({
  name: "show-timeline",
  summary:
    "Show who woke whom and when: runs with their waiting, model and tool time, of the project, a workspace, an agent or a chain of messages.",
  method: "GET",
  path: "/timeline",
  personTool: "timeline_show",
  input: z.object({
    target: z.string().optional().describe("alice, @review or alice@review; absent: the whole project."),
    chain: z.string().optional().describe("Id of a run or a message: only what its first message led to."),
    before: z.string().optional().describe("Only those before the run of this id: the `next` of the answer before."),
    limit: z.int().min(1).max(200).default(60),
  }),
  output: z.object({
    /** Newest first. */
    runs: z.array(timedRunView),
    /** Pass it as `before` for earlier ones; null when there are none. */
    next: z.string().nullable(),
  }),
});
