import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { DaemonContext, Identity } from "../runtime/daemon-context.ts";
import type { RunningProject } from "../runtime/running-project.ts";

/**
 * What answers a request that came through every check: host, origin, content type, token, phase, size, role. A result
 * becomes JSON with the status its code has; undefined says that the handler has answered by itself on `response`. What
 * it throws before that is answered as a fault or a bug, and afterwards cuts the connection.
 */
export type RouteHandler = (context: RouteContext) => Promise<Result<unknown, Refusal> | undefined>;

export interface RouteContext extends Exchange {
  /** Fields of path, query and body in one object, each given once. Those of the query are still text. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** One request and what is certain about it. */
export interface Exchange {
  readonly hosting: DaemonContext;
  readonly identity: Identity;
  /** The one the token or the header names; opened. */
  readonly project: RunningProject;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What every response carries. Whoever writes a head by itself puts these in it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the client went away before it had its answer. */
  readonly signal: AbortSignal;
  /** Aborted when the server closes: streams say goodbye and end. */
  readonly closing: AbortSignal;
  readonly log: Log;
  readonly clock: Clock;
}
