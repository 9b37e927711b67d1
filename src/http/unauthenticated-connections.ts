import type { Socket } from "node:net";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";

/**
 * The connections on which no request with a valid token, or a proof of it, has arrived yet. Anyone on this machine can open them, so there
 * is a limit: above it, the oldest one is closed. A connection with a valid token is never closed for others, so the
 * owner needs only as long as one request takes.
 */
export interface UnauthenticatedConnections {
  add(socket: Socket): void;
  /** The connection does not count any more. */
  authenticated(socket: Socket): void;
}

/** Small enough that they never use up the files that a process may have open. */
const MOST = 256;
const LOG_EVERY_MS = 60_000;

export function createUnauthenticatedConnections(
  log: Log,
  clock: Pick<Clock, "monotonic">,
): UnauthenticatedConnections {
  /** The oldest one is first. */
  const sockets = new Set<Socket>();
  let closed = 0;
  let loggedAt = -Infinity;

  const closeOldest = (): void => {
    const [oldest] = sockets;
    if (oldest === undefined) return;
    sockets.delete(oldest);
    oldest.destroy();
    closed += 1;
    if (clock.monotonic() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = clock.monotonic();
    log.warn("too many connections without a token: the oldest were closed", { closed, limit: MOST });
    closed = 0;
  };

  return {
    add(socket) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      if (sockets.size > MOST) closeOldest();
    },
    authenticated: (socket) => void sockets.delete(socket),
  };
}
