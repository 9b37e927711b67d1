import type { McpServer, Permissions } from "../../domain/agent/definition.ts";
import type { ImageReference, StepEnd, StepProgress } from "../../ports/engine.ts";
import type { ToolCall, ToolOutcome, ToolSpec } from "../../ports/tools.ts";
import type { LoadedImages } from "./image-reference.ts";
import type { CallResult, OpenCall } from "./tool-results.ts";

/**
 * Messages between the engine and its worker processes: one JSON object per line, requests on the worker's stdin,
 * everything else on its stdout. A worker serves many sessions at once, each with one request at a time. `session` says to
 * which session a message belongs; the engine chooses the number. `open` is answered by `opened` or `failed`, `step` by
 * any number of events and then `end`, `calls` or `failed`, `embed` by `embedded` or `failed`, `leave` by `left`. After `left`
 * nothing more is said about a session.
 */
export type ToWorker = WorkerOrder | (SessionRequest & { readonly session: number });

/** What concerns the whole worker. */
export type WorkerOrder =
  /** Imports these modules before they are needed. */
  | { readonly type: "warm"; readonly modules: readonly string[] }
  /** Answered by `pong`, soon, unless something in the worker blocks it. */
  | { readonly type: "ping" }
  /** Ends the MCP servers it started, then itself. */
  | { readonly type: "close" };

/** What concerns one session. */
export type SessionRequest =
  /** Makes a session ready before its first step. Not needed: a step can do it. */
  | { readonly type: "open"; readonly setup: SessionSetup }
  /**
   * `setup`: absent when the session is open. `results`: of the calls that ended the step before; absent: none. `tools`: those that the engine offers from this step on; absent when they
   * are the same as before.
   */
  | {
      readonly type: "step";
      readonly setup?: SessionSetup;
      readonly results?: readonly CallResult[];
      readonly prompt: string | null;
      /** Those of the prompt; their bytes are in the setup. Absent: none. */
      readonly images?: readonly ImageReference[];
      readonly tools?: readonly ToolSpec[];
    }
  /** Needs no setup. */
  | { readonly type: "embed"; readonly model: ModelTarget; readonly texts: readonly string[] }
  | { readonly type: "tool-outcome"; readonly request: number; readonly outcome: ToolOutcome }
  /** The engine reads no further events until it says so. */
  | { readonly type: "flow"; readonly paused: boolean }
  /** Interrupts what the session does, and forgets it. `soon`: it does nothing, and nobody waits until it is left. */
  | { readonly type: "leave"; readonly soon?: boolean };

export type FromWorker = { readonly type: "ready" } | { readonly type: "pong" } | FromSession;

type FromSession = SessionMessage & { readonly session: number };

export type SessionMessage =
  | { readonly type: "opened" }
  | { readonly type: "phase"; readonly phase: Phase }
  /** The model sent content that has no event of its own. Keep-alives are none. */
  | { readonly type: "alive" }
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "event"; readonly event: StepProgress }
  | { readonly type: "tool"; readonly request: number; readonly call: ToolCall }
  | { readonly type: "end"; readonly end: StepEnd }
  | CallsOfAnswer
  | EmbeddedTexts
  | { readonly type: "failed"; readonly report: FailureReport }
  | { readonly type: "left" };

/**
 * The engine makes these calls, one after the other in order, and so ends the step: a step needs one message each way. The
 * worker learns the results with the next step. `end`: how the step would end without the calls.
 */
export interface CallsOfAnswer {
  readonly type: "calls";
  readonly calls: readonly OpenCall[];
  readonly end: StepEnd;
}

/** One vector for each text, in their order: 32-bit numbers, little-endian, in base64. */
export interface EmbeddedTexts {
  readonly type: "embedded";
  readonly vectors: readonly string[];
  /** Null when the provider does not say it. */
  readonly tokens: number | null;
}

/**
 * What a worker waits for; each has its own timeout: itself (`worker`), the agent's MCP servers, a connection to the
 * provider, its first content (`headers`), its next content (`body`), a tool.
 */
export type Phase = "worker" | "mcp" | "connect" | "headers" | "body" | "tools";

/** Everything a session needs. The key is sent here and is in no environment. */
export interface SessionSetup {
  readonly model: ModelTarget;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  /** Names that can be called as well: see `ToolHost`. Absent: none. */
  readonly unlistedTools?: readonly string[];
  readonly mcpServers: Readonly<Record<string, McpServer>>;
  /** For the tools of the MCP servers. */
  readonly permissions?: Permissions;
  /** Environment of the MCP servers, besides their own `env`. */
  readonly mcpEnvironment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly maxOutputTokens: number | null;
  readonly transcript: string | null;
  /** The images that the transcript and the next prompt refer to. Absent: none. */
  readonly images?: LoadedImages;
}

export interface ModelTarget {
  readonly provider: string;
  readonly model: string;
  readonly package: string;
  /** Absolute path of the file or the package folder to load. */
  readonly module: string;
  /** Name of the function of the package that creates a provider. */
  readonly factory: string;
  readonly apiKey: string | null;
  /** Null: the provider's own address. */
  readonly baseUrl: string | null;
}

/** A failure as plain data; `engine-failure.ts` classifies it. */
export interface FailureReport {
  readonly message: string;
  /** A retry cannot help: a missing package, an answer that was refused. */
  readonly permanent?: boolean;
  /** HTTP status of the provider, or the status its error event stands for. */
  readonly status?: number;
  /** System error code, such as ECONNRESET. */
  readonly code?: string;
  /** The provider's own names for the error, such as `insufficient_quota`. */
  readonly kinds?: readonly string[];
  /** Headers and fields that say when to retry, as they were written. */
  readonly retryAfter?: string;
  readonly retryAfterMs?: string;
}

const FROM_WORKER: ReadonlySet<unknown> = new Set<FromWorker["type"]>(["ready", "pong"]);
const FROM_SESSION: ReadonlySet<unknown> = new Set<FromSession["type"]>([
  "opened",
  "phase",
  "alive",
  "warning",
  "event",
  "tool",
  "end",
  "calls",
  "embedded",
  "failed",
  "left",
]);

/** Throws on anything that is not a message of a worker. */
export function parseFromWorker(line: string): FromWorker {
  const message: unknown = JSON.parse(line);
  if (typeof message === "object" && message !== null && "type" in message) {
    if (FROM_WORKER.has(message.type)) return message as FromWorker;
    if (FROM_SESSION.has(message.type) && "session" in message && typeof message.session === "number")
      return message as FromSession;
  }
  throw new Error("not a message of a worker");
}
