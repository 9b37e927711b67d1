import type { OperationInput, OperationName, OperationOutput } from "../contract/operations.ts";
import type { HealthView } from "../contract/service/health.ts";
import type { PageCodeView } from "../contract/service/page.ts";
import type { WorkRequest, RequestResult, RunEvent } from "../contract/service/work-request.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/** A daemon, for one project. What it refuses is a value; what keeps it from answering is thrown as a Fault. */
export interface Client extends Disposable {
  /** Of the daemon that answered last; "" where it was not asked. A client of another version may not understand it. */
  readonly daemonVersion: string;
  /** Calls an operation by its name. */
  call<Name extends OperationName>(
    operation: Name,
    input: OperationInput<Name>,
  ): Promise<Result<OperationOutput<Name>, Refusal>>;
  /** Tells what happens as it happens. Leaving the iteration only stops watching: the work goes on. */
  run(workRequest: WorkRequest, signal?: AbortSignal): AsyncIterable<RunEvent>;
  /** The same, answered when it is done. */
  serve(workRequest: WorkRequest, signal?: AbortSignal): Promise<Result<RequestResult, Refusal>>;
  /** Everything recorded in the project from an event on, then as it happens; connects again when it must. */
  events(options?: { readonly since?: number; readonly signal?: AbortSignal }): AsyncIterable<WireEvent>;
  /** Ends the loop of an agent until something new comes for it. */
  stopAgent(name: string): Promise<Result<unknown, Refusal>>;
  health(): Promise<HealthView>;
  /** A code that lets one browser in, soon. */
  openPage(): Promise<PageCodeView>;
  /** Resolves when the daemon is gone; what was under way is parked and goes on with the next one. */
  shutdown(): Promise<void>;
}

/** An event as it was recorded: see `domain/event.ts` for the kinds and their fields. */
export interface WireEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly [field: string]: unknown;
}
