import { z } from "zod";
import { laneView, messageView } from "./messages.ts";
import { declareQuery } from "./operation.ts";
import { usageView } from "./usage.ts";

/** Runs as clients see them. */
export const runView = z.object({
  id: z.string(),
  agent: z.string(),
  space: z.string(),
  lane: laneView,
  /** Parked: it gave way, or waits to be tried again. Waiting: a person has to decide on a tool call. */
  state: z.enum(["open", "parked", "waiting", "ended"]),
  /** Null until it has ended. */
  outcome: z.enum(["answered", "silent", "incomplete", "failed", "cancelled"]).nullable(),
  /** What it said last, or why it failed. */
  detail: z.string().nullable(),
  /** Id of the message it answers. */
  cause: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  usage: usageView,
});
export type RunView = z.output<typeof runView>;

export const toolCallView = z.object({
  tool: z.string(),
  /** JSON, without secrets; of a long one the beginning. */
  args: z.string(),
  /** The same; null when the step ended before the tool answered. */
  result: z.string().nullable(),
  failed: z.boolean(),
});
export type ToolCallView = z.output<typeof toolCallView>;

export const stepView = z.object({
  number: z.int(),
  finishedAt: z.iso.datetime(),
  usage: usageView,
  calls: z.array(toolCallView),
});
export type StepView = z.output<typeof stepView>;

const leftOutView = z.object({ reason: z.string(), count: z.int(), names: z.array(z.string()) });

/** What a run was given, part by part, and what was left out of each and why. */
export const runReceiptView = z.object({
  budget: z.int(),
  tokens: z.int(),
  overBudget: z.boolean(),
  parts: z.array(
    z.object({
      part: z.string(),
      place: z.enum(["system", "prompt"]),
      tokens: z.int(),
      items: z.int(),
      names: z.array(z.string()).default([]),
      leftOut: z.array(leftOutView),
    }),
  ),
  /** Who had spoken in it, and whether some of it was outside text; absent for agents without a memory. */
  heard: z.array(z.string()).optional(),
  outside: z.boolean().optional(),
});
export type RunReceiptView = z.output<typeof runReceiptView>;

export const runDetailView = runView.extend({
  /** What it answers; null when that is not kept any more. */
  answers: messageView.nullable(),
  /** Null before its first step is finished. */
  receipt: runReceiptView.nullable(),
  steps: z.array(stepView),
});
export type RunDetailView = z.output<typeof runDetailView>;

export const listRuns = declareQuery({
  name: "list-runs",
  summary: "List the runs of the project, of an agent or of a workspace, newest first, with what each has used.",
  method: "GET",
  path: "/runs",
  input: z.object({
    target: z.string().optional().describe("alice, @review or alice@review; absent: the whole project."),
    unfinished: z.boolean().default(false).describe("Only those that are at work, parked or waiting."),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ runs: z.array(runView) }),
});

export const showRun = declareQuery({
  name: "show-run",
  summary:
    "Show one run: what it answers, what it was given and what was left out, its steps with their tool calls and what each has used.",
  method: "GET",
  path: "/runs/:id",
  input: z.object({ id: z.string().describe("Id of a run.") }),
  output: runDetailView,
});
