import type { OperationInput, OperationName, OperationOutput } from "../contract/operations.ts";
import type { HealthView } from "../contract/service/health.ts";
import type { EndedPageSessionsView, PageCodeView, PageSessionListView } from "../contract/service/page.ts";
import type { LiveEventView } from "../contract/service/live-event.ts";
import type { WorkRequest, RequestResult, RunEvent } from "../contract/service/work-request.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/** A client for one project. A refusal is returned as a value; for an unreachable daemon a Fault is thrown. */
export interface Client extends Disposable {
  /** Of the daemon of the last handshake; "" without one. A daemon of another version may not be compatible. */
  readonly daemonVersion: string;
  /** Calls an operation by its name. */
  call<Name extends OperationName>(
    operation: Name,
    input: OperationInput<Name>,
  ): Promise<Result<OperationOutput<Name>, Refusal>>;
  /** Makes a proposal that the project defines in code. `target` says where it acts. */
  propose(name: string, input: Readonly<Record<string, unknown>>): Promise<Result<unknown, Refusal>>;
  /** Yields the events of the work. The work goes on when the caller ends the iteration early. */
  run(workRequest: WorkRequest, signal?: AbortSignal): AsyncIterable<RunEvent>;
  /** Resolves when the work is done. */
  serve(workRequest: WorkRequest, signal?: AbortSignal): Promise<Result<RequestResult, Refusal>>;
  /** Yields the recorded events of the project after `since`, then new ones; reconnects when necessary. */
  events(options?: { readonly since?: number; readonly signal?: AbortSignal }): AsyncIterable<WireEvent>;
  /** The same from now on, with words and tool calls as they come, and whether the daemon is reached. */
  watch(options?: { readonly signal?: AbortSignal }): AsyncIterable<WatchedEvent>;
  /** Stops the loop of an agent until its next delivery. */
  stopAgent(name: string): Promise<Result<unknown, Refusal>>;
  health(): Promise<HealthView>;
  /** Returns a code that opens one browser session and is valid for a short time. */
  openPage(): Promise<PageCodeView>;
  /** Returns a short code with which a browser on another device can sign in, once. */
  pairPage(): Promise<PageCodeView>;
  /** Returns the browsers that are signed in. */
  listPageSessions(): Promise<Result<PageSessionListView, Refusal>>;
  /** Signs a browser out by the id of its session, or "all" of them. */
  endPageSession(id: string): Promise<Result<EndedPageSessionsView, Refusal>>;
  /** Resolves when the daemon has stopped. Running runs yield and go on with the next daemon. */
  shutdown(): Promise<void>;
  /** Goes on with the work of all projects, after everything was stopped. */
  goOn(): Promise<void>;
}

/** What a client that watches a project gets. `lost`: the daemon is gone, and the client tries to reach it again. */
export type WatchedEvent =
  | { readonly kind: "connected" | "lost" }
  | { readonly kind: "recorded"; readonly event: WireEvent }
  | { readonly kind: "live"; readonly event: LiveEventView };

/** A recorded event: see `domain/event.ts` for the types and their fields. */
export interface WireEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly [field: string]: unknown;
}
