/** `agent-worker/client`: a client alone, which loads nothing of the daemon. */
export { createClient, type ClientOptions } from "./create-client.ts";
export type { Client, WatchedEvent, WireEvent } from "./client.ts";
export type {
  Outcome,
  RequestOutcome,
  RequestResult,
  RunEvent,
  WaitingRun,
  WaitKind,
  WorkRequest,
} from "../contract/service/work-request.ts";
export type { HealthView } from "../contract/service/health.ts";
export type { Refusal } from "../kernel/refusal.ts";
export type { Result } from "../kernel/result.ts";
