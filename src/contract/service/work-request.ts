import { z } from "zod";
import type { Outcome } from "../../domain/outcome.ts";
import { laneView, type MessageView, type ReceiptView } from "../messages.ts";
import type { WaitingRun } from "../runs.ts";

export type { Outcome, WaitKind } from "../../domain/outcome.ts";
export type { WaitingRun } from "../runs.ts";

const text = z.string().min(1);
const MAX_VARIABLE_NAME = 200;
/** What an operating system passes to a process in one variable. */
const MAX_VARIABLE = 120 * 1024;

/**
 * How long a request only waits, for quota or an approval, before it ends as `parked`; its work goes on. Absent: `/run`
 * has no limit, and `/serve` that of `SERVE_WAIT_LIMIT_MS`.
 */
const waitLimitMs = z.int().min(0).optional();
export const SERVE_WAIT_LIMIT_MS = 10 * 60_000;

export const agentRequest = z.strictObject({ agent: z.string(), message: text, waitLimitMs });

/** The input of `send-message`, whose answer the caller waits for. */
export const messageRequest = z.strictObject({
  /** alice, alice@review, alice@review:pr-1, @review or @review:pr-1 */
  to: z.string(),
  message: text,
  lane: laneView.optional(),
  idempotencyKey: z.string().min(1).max(200).optional(),
  waitLimitMs,
});

export const workflowRequest = z.strictObject({
  /** Its name in the project, or the absolute path of its file. */
  workflow: z.string(),
  tag: z.string().optional(),
  /** Go on in the last instance of the workspace instead of beginning a new one. */
  continue: z.boolean().optional(),
  message: text.optional(),
  /** Documents that the workspace begins with, by name. */
  documents: z.record(z.string(), z.string()).optional(),
  /** By name, or as command line arguments. */
  params: z
    .union([z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), z.array(z.string())])
    .optional(),
  /** Variables of the caller, for this start only; absent: those of the daemon. `list-start-variables` says which. */
  env: z.record(z.string().max(MAX_VARIABLE_NAME), z.string().max(MAX_VARIABLE)).optional(),
  /** `started`: return after setup and kickoff; the workflow runs until it is stopped. */
  until: z.enum(["idle", "started"]).default("idle"),
  waitLimitMs,
});

/** Agents as the `agents` of a workflow file define them. They are removed when the work is done. */
export const teamRequest = z.strictObject({ agents: z.record(z.string(), z.unknown()), message: text, waitLimitMs });

/**
 * The input of `POST /run` and `POST /serve`: for one agent, a workflow, agents that exist for this request only, or a
 * message to any target.
 */
export const workRequest = z.union([agentRequest, workflowRequest, teamRequest, messageRequest]);
export type WorkRequest = z.input<typeof workRequest>;
/** With its defaults filled in. */
export type CheckedWorkRequest = z.output<typeof workRequest>;

/** A figure is null, never 0, when it is unknown. */
export interface UsageFigures {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** US dollars. */
  readonly costUsd: number | null;
  /** The cost, or a part of it, is worked out from a list of prices. */
  readonly costEstimated: boolean;
}

/** The events of `/run`, by their SSE name. Chunks, tool calls and steps are not stored. */
export type RunEvent =
  | { readonly type: "setup"; readonly text: string }
  | {
      readonly type: "started";
      readonly space: string;
      readonly participants: readonly string[];
      /** Of a workflow request: whom its kickoff names in vain. */
      readonly warnings?: readonly string[];
      /** Of a message request. */
      readonly receipt?: ReceiptView;
    }
  | {
      readonly type: "step";
      readonly agent: string;
      readonly run: string;
      readonly number: number;
      /** What the run has used before this step. Absent for its first. */
      readonly usage?: UsageFigures;
      readonly space?: string;
    }
  /** `space`, here and in the others: the sub-space in which it happens. Absent: the space of the request itself. */
  | { readonly type: "chunk"; readonly agent: string; readonly text: string; readonly space?: string }
  | {
      readonly type: "tool_call";
      readonly agent: string;
      readonly tool: string;
      readonly args: unknown;
      /** What people read in place of the arguments. */
      readonly shown?: unknown;
      readonly space?: string;
    }
  | {
      readonly type: "tool_result";
      readonly space?: string;
      readonly agent: string;
      readonly tool: string;
      readonly content: string;
      readonly isError: boolean;
    }
  | {
      readonly type: "message";
      readonly space?: string;
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
  /** A run of the request waits. It goes on by itself, or when a person decides. */
  | ({ readonly type: "waiting" } & WaitingRun)
  /** Nothing happens until somebody votes: each text ends the sentence "Waiting for ...". */
  | { readonly type: "votes_awaited"; readonly for: readonly string[] }
  /** The last event when the request was refused or can no longer be followed. */
  | { readonly type: "error"; readonly code: string; readonly message: string; readonly hint?: string }
  | RequestResult;

/** What became of the deliveries of a request. */
export interface RequestOutcome {
  /** Null when the caller did not wait for the end of the work, but only for its start. */
  readonly outcome: Outcome | null;
  /** False for every outcome but `answered` and `silent`. */
  readonly success: boolean;
  /** The deliveries that have no answer, because they failed or a person stopped their agent. */
  readonly failed: readonly { readonly id: string; readonly agent: string; readonly reason: string }[];
  /** Where a limit ended the work, and which. `delivery` is the dead letter, if it left one. */
  readonly incomplete: readonly { readonly agent: string; readonly reason: string; readonly delivery: string | null }[];
  /** The runs that still wait, when the outcome is `parked`. */
  readonly waits: readonly WaitingRun[];
  /** What a person can do next. Null after a success. */
  readonly hint: string | null;
}

/** The last event, and the whole response of `/serve`. */
export interface RequestResult extends RequestOutcome {
  readonly type: "done";
  /** The last message of an agent, whole. Empty when there is none. */
  readonly content: string;
  readonly space: string;
  readonly participants: readonly string[];
  /** Of a workflow request: whom its kickoff names in vain. */
  readonly warnings?: readonly string[];
  readonly toolCalls: readonly { readonly agent: string; readonly tool: string; readonly args: unknown }[];
  readonly usage: UsageFigures;
  /** Of a message request. */
  readonly receipt?: ReceiptView;
  /** Of a message request: the messages that answer it. */
  readonly replies?: readonly MessageView[];
}
