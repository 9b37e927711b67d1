import { z } from "zod";

/**
 * What `POST /run` and `POST /serve` take: something to be done by one agent, by a workflow, or by agents that exist for
 * this workRequest only. And what is told while it is done.
 */
const said = z.string().min(1);

export const agentRequest = z.strictObject({ agent: z.string(), message: said });

export const workflowRequest = z.strictObject({
  /** Its name in the project, or the absolute path of its file. */
  workflow: z.string(),
  tag: z.string().optional(),
  message: said.optional(),
  /** By name, or as they were typed. */
  params: z
    .union([z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), z.array(z.string())])
    .optional(),
  /** `started`: come back after setup and kickoff; the workflow goes on until it is stopped. */
  until: z.enum(["idle", "started"]).default("idle"),
});

/** Agents as the `agents` of a workflow file define them. They are gone when nothing is left to do. */
export const teamRequest = z.strictObject({ agents: z.record(z.string(), z.unknown()), message: said });

export const workRequest = z.union([agentRequest, workflowRequest, teamRequest]);
export type WorkRequest = z.input<typeof workRequest>;
/** With everything that may be left out filled in. */
export type CheckedWorkRequest = z.output<typeof workRequest>;

/** Null is "not known", never 0. */
export interface UsageFigures {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** US dollars. */
  readonly costUsd: number | null;
}

/** The events of `/run`, by their SSE name. What was not kept (`chunk`, tools, `step`) is for watching only. */
export type RunEvent =
  | { readonly type: "setup"; readonly text: string }
  | { readonly type: "started"; readonly space: string; readonly participants: readonly string[] }
  | { readonly type: "step"; readonly agent: string; readonly run: string; readonly number: number }
  | { readonly type: "chunk"; readonly agent: string; readonly text: string }
  | { readonly type: "tool_call"; readonly agent: string; readonly tool: string; readonly args: unknown }
  | {
      readonly type: "tool_result";
      readonly agent: string;
      readonly tool: string;
      readonly content: string;
      readonly isError: boolean;
    }
  | {
      readonly type: "message";
      readonly id: string;
      readonly seq: number;
      readonly from: string;
      readonly to: string | null;
      readonly kind: string;
      readonly content: string;
      /** Where the whole content is, when `content` is only its beginning. */
      readonly resource: string | null;
      readonly mentions: readonly string[];
    }
  /** Nothing follows: the workRequest was refused, or nobody watches it from here any more. */
  | { readonly type: "error"; readonly code: string; readonly message: string; readonly hint?: string }
  | RequestResult;

/** The last event, and the whole answer of `/serve`. */
export interface RequestResult {
  readonly type: "done";
  /** The last thing an agent said, whole; empty when none said anything. */
  readonly content: string;
  /** False when something could not be answered: `failed` says what. */
  readonly success: boolean;
  readonly space: string;
  readonly participants: readonly string[];
  readonly failed: readonly { readonly id: string; readonly agent: string; readonly reason: string }[];
  readonly toolCalls: readonly { readonly agent: string; readonly tool: string }[];
  readonly usage: UsageFigures;
}
