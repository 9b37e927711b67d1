import { z } from "zod";

const text = z.string().min(1);

export const agentRequest = z.strictObject({ agent: z.string(), message: text });

export const workflowRequest = z.strictObject({
  /** Its name in the project, or the absolute path of its file. */
  workflow: z.string(),
  tag: z.string().optional(),
  /** Go on in the last instance of the workspace instead of beginning a new one. */
  continue: z.boolean().optional(),
  message: text.optional(),
  /** By name, or as command line arguments. */
  params: z
    .union([z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), z.array(z.string())])
    .optional(),
  /** `started`: return after setup and kickoff; the workflow runs until it is stopped. */
  until: z.enum(["idle", "started"]).default("idle"),
});

/** Agents as the `agents` of a workflow file define them. They are removed when the work is done. */
export const teamRequest = z.strictObject({ agents: z.record(z.string(), z.unknown()), message: text });

/** The input of `POST /run` and `POST /serve`: for one agent, a workflow, or agents that exist for this request only. */
export const workRequest = z.union([agentRequest, workflowRequest, teamRequest]);
export type WorkRequest = z.input<typeof workRequest>;
/** With its defaults filled in. */
export type CheckedWorkRequest = z.output<typeof workRequest>;

/** A figure is null, never 0, when it is unknown. */
export interface UsageFigures {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** US dollars. */
  readonly costUsd: number | null;
}

/** The events of `/run`, by their SSE name. Chunks, tool calls and steps are not stored. */
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
      /** Id of the resource with the whole content, when `content` is only its beginning. Null otherwise. */
      readonly resource: string | null;
      readonly mentions: readonly string[];
    }
  /** The last event when the request was refused or can no longer be followed. */
  | { readonly type: "error"; readonly code: string; readonly message: string; readonly hint?: string }
  | RequestResult;

/** The last event, and the whole response of `/serve`. */
export interface RequestResult {
  readonly type: "done";
  /** The last message of an agent, whole. Empty when there is none. */
  readonly content: string;
  /** False when a message could not be answered: `failed` lists those. */
  readonly success: boolean;
  readonly space: string;
  readonly participants: readonly string[];
  readonly failed: readonly { readonly id: string; readonly agent: string; readonly reason: string }[];
  readonly toolCalls: readonly { readonly agent: string; readonly tool: string }[];
  readonly usage: UsageFigures;
}
