import { person, type Caller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { DaemonContext, Identity, PageRequestOrigin } from "./daemon-context.ts";
import type { RunningProject } from "./running-project.ts";

/**
 * Who sends a request. Only the token decides it, for a page together with its cookie: nothing
 * else in the headers, the body or the address changes it.
 */
export interface Credentials {
  readonly token: string;
  readonly identity: Identity;
  readonly caller: Caller;
}

/** One authorized request, as the HTTP and MCP adapters see it. */
export interface RequestContext extends Credentials {
  readonly daemon: DaemonContext;
  /** The project that the token or the header names; it is open. */
  readonly project: RunningProject;
  /** Aborted when the client disconnects before it has the whole response. */
  readonly signal: AbortSignal;
  /** Aborted when the server closes: streams send their last event and end. */
  readonly closing: AbortSignal;
  readonly log: Log;
  readonly clock: Clock;
}

/** Returns undefined for a token that is unknown or has expired. */
export function readCredentials(
  daemon: DaemonContext,
  token: string,
  from?: PageRequestOrigin,
): Credentials | undefined {
  const identity = daemon.identify(token, from);
  if (identity === undefined) return undefined;
  return { token, identity, caller: identity.kind === "person" ? person : identity.credential.caller };
}
