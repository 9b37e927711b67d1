import type { IncomingMessage, ServerResponse } from "node:http";
import { person, type Caller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { DaemonContext, Identity } from "../runtime/daemon-context.ts";
import type { RunningProject } from "../runtime/running-project.ts";

/**
 * One request at `/mcp` and what is certain about it. Whoever listens has checked it already; who asks is decided by
 * the token alone, and nothing in the body, the headers or the address changes that.
 */
export interface McpExchange {
  readonly hosting: Pick<DaemonContext, "version" | "identify">;
  readonly identity: Identity;
  readonly project: RunningProject;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What every response carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Read within the limit, not parsed; empty when there was none. */
  readonly body: Buffer;
  /** Aborted when the client went away before it had its answer. */
  readonly signal: AbortSignal;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  readonly log: Log;
  readonly clock: Clock;
}

export type AnswerMcp = (exchange: McpExchange) => Promise<void>;

export function callerOf(identity: Identity): Caller {
  return identity.kind === "run" ? identity.credential.caller : person;
}

/** False as soon as the token the request came with is nobody's any more: its run has ended. */
export function isStillKnown({ hosting, request }: McpExchange): boolean {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  return token !== undefined && hosting.identify(token) !== undefined;
}
