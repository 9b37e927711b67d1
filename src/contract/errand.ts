import { z } from "zod";

/**
 * What `POST /run` and `POST /serve` take: something to be done by one agent, by a workflow, or by agents that exist for
 * this errand only. And what is told while it is done.
 */
const said = z.string().min(1);

export const errand = z.union([
  z.strictObject({ agent: z.string(), message: said }),
  z.strictObject({
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
  }),
  /** Agents as a workflow file defines them inline. */
  z.strictObject({ agents: z.record(z.string(), z.unknown()), message: said }),
]);
export type Errand = z.input<typeof errand>;

export interface UsageFigures {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null when it is not known. */
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
      readonly mentions: readonly string[];
    }
  | { readonly type: "error"; readonly code: string; readonly message: string; readonly hint?: string }
  | ErrandEnd;

/** The last event, and the whole answer of `/serve`. */
export interface ErrandEnd {
  readonly type: "done";
  /** The last thing said in answer. */
  readonly content: string;
  /** False when something could not be answered: `failed` says what. */
  readonly success: boolean;
  readonly space: string;
  readonly participants: readonly string[];
  readonly failed: readonly { readonly id: string; readonly agent: string; readonly reason: string }[];
  readonly toolCalls: readonly { readonly agent: string; readonly tool: string }[];
  readonly usage: UsageFigures;
}
