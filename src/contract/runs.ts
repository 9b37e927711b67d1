import { z } from "zod";
import { RUN_OUTCOMES, WAIT_KINDS } from "../domain/outcome.ts";
import { laneView, messageView } from "./messages.ts";
import { declareQuery } from "./operation.ts";
import { guardUseView, usageView } from "./usage.ts";

/** A run that waits: who, for what, since when, until when, and what a person can do about it. */
export const waitingRunView = z.object({
  agent: z.string(),
  run: z.string(),
  space: z.string(),
  waitsFor: z.enum(WAIT_KINDS),
  since: z.iso.datetime(),
  /** When it goes on by itself. Null when only a person lets it go on. */
  until: z.iso.datetime().nullable(),
  /** The error, or the tool call that needs an approval. */
  reason: z.string(),
  /** Id of the approval it waits for; or null. */
  approval: z.string().nullable(),
  /** What a person can do. */
  next: z.string(),
});
export type WaitingRun = z.output<typeof waitingRunView>;

export const runView = z.object({
  id: z.string(),
  agent: z.string(),
  space: z.string(),
  lane: laneView,
  /** Parked: it yielded, or waits for a retry. Waiting: a person has to decide on a tool call. */
  state: z.enum(["open", "parked", "waiting", "ended"]),
  /** Null until it has ended. */
  outcome: z.enum(RUN_OUTCOMES).nullable(),
  /** Its last text, or why it failed. */
  detail: z.string().nullable(),
  /** Why it is incomplete, or why it waits. */
  reason: z.string().nullable(),
  /** What it waits for besides its turn. */
  waitsFor: z.enum(WAIT_KINDS).nullable(),
  /** Since when it waits. */
  since: z.iso.datetime().nullable(),
  /** When it goes on by itself. Null when only a person lets it go on. */
  until: z.iso.datetime().nullable(),
  /** Id of the message it answers. */
  cause: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** `provider/model` of its last step. Null before the first, and for runs of earlier versions. */
  model: z.string().nullable(),
  usage: usageView,
});
export type RunView = z.output<typeof runView>;

export const toolCallView = z.object({
  tool: z.string(),
  /** Redacted JSON; only the beginning when it is long. */
  args: z.string(),
  /** Redacted and shortened likewise. Null when the step ended before the tool returned. */
  result: z.string().nullable(),
  failed: z.boolean(),
  /** How long it took, in milliseconds. Absent when it is not known. */
  wallMs: z.int().optional(),
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

/** The parts of the prompt of a run, with what was left out of each and why. */
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
      /** What else happened to the part, such as how earlier messages were summarised. */
      notes: z.array(z.string()).optional(),
    }),
  ),
  /** `heard`: the senders of its messages. `outside`: it has untrusted content. Absent for agents without a memory. */
  heard: z.array(z.string()).optional(),
  outside: z.boolean().optional(),
  /** Which models it did not go on with, and why. Absent when it has its first one. */
  fallbacks: z.array(z.string()).optional(),
});
export type RunReceiptView = z.output<typeof runReceiptView>;

/** What the agent of a run was made from, and whether its files say the same now. */
export const runDefinitionView = z.object({
  /** Relative to the project. None for an agent that is in memory only. */
  files: z.array(z.string()),
  /** Runs with the same fingerprint had the same definition. */
  fingerprint: z.string(),
  /** `changed`: the run kept what it began with. `broken` and `removed`: there is no such definition now. */
  now: z.enum(["same", "changed", "broken", "removed"]),
  /** When the files were last changed, unless they say the same. Null when that is not known. */
  changedAt: z.iso.datetime().nullable(),
});
export type RunDefinitionView = z.output<typeof runDefinitionView>;

export const runDetailView = runView.extend({
  /** The message it answers. Null when it is not stored any more. */
  answers: messageView.nullable(),
  /** Null until its first step is finished. */
  receipt: runReceiptView.nullable(),
  /** Null for runs of earlier versions. */
  definition: runDefinitionView.nullable(),
  /** What it waits for and what a person can do. Null when it does not wait. */
  waits: waitingRunView.nullable(),
  /** When its transcript, tool calls and receipt were removed because they were old. Null as long as they are there. */
  detailsRemovedAt: z.iso.datetime().nullable(),
  steps: z.array(stepView),
  /** What the guard asked its model for this run, in their order. */
  guard: z.array(guardUseView),
});
export type RunDetailView = z.output<typeof runDetailView>;

/** What a run was given with its first step, as it was sent, except that secrets are redacted. */
export const runPromptView = z.object({
  run: z.string(),
  system: z.string(),
  prompt: z.string(),
  /** The daemon's own. What MCP servers of the agent and programs add is not among them. */
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) }),
  ),
  /** Estimated. */
  tokens: z.object({ system: z.int(), prompt: z.int(), tools: z.int() }),
});
export type RunPromptView = z.output<typeof runPromptView>;

export const listRuns = declareQuery({
  name: "list-runs",
  summary: "List the runs of the project, of an agent or of a workspace, newest first, with what each has used.",
  method: "GET",
  path: "/runs",
  personTool: "run_list",
  input: z.object({
    target: z.string().optional().describe("alice, @review or alice@review; absent: the whole project."),
    unfinished: z.boolean().default(false).describe("Only those that are at work, parked or waiting."),
    limit: z.int().min(1).max(200).default(50),
    before: z.string().optional().describe("Only those before the run of this id: the last one you have."),
  }),
  output: z.object({ runs: z.array(runView) }),
});

export const showRun = declareQuery({
  name: "show-run",
  summary:
    "Show one run: what it answers, what it was given and what was left out, its steps with their tool calls and what each has used.",
  method: "GET",
  path: "/runs/:id",
  personTool: "run_show",
  input: z.object({ id: z.string().describe("Id of a run.") }),
  output: runDetailView,
});

export const showPrompt = declareQuery({
  name: "show-prompt",
  summary: "Show the whole prompt of a run: the system text, what it was asked, and its tools with their schemas.",
  method: "GET",
  path: "/runs/:id/prompt",
  input: z.object({ id: z.string().describe("Id of a run.") }),
  output: runPromptView,
});
