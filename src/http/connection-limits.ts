import type { Socket } from "node:net";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { openFilesLimit } from "./open-files-limit.ts";

/**
 * How many connections the server has at once. Anyone on this machine can open them, so those on which no request with a
 * valid token, or a proof of it, has arrived yet have a limit of their own: above it, the oldest one goes. A connection
 * with a valid token is never closed for others. Whoever is turned away is told so, and nothing of it is handled.
 */
export interface ConnectionLimits {
  add(socket: Socket): void;
  /** How many there were so far. */
  accepted(): number;
  /** A valid token arrived on it. */
  authenticated(socket: Socket): void;
  /** What still arrives on such a connection must not be handled: its client was told to try again. */
  isTurnedAway(socket: Socket): boolean;
}

export interface MostConnections {
  readonly unauthenticated: number;
  readonly all: number;
}

/** These fit into what any system lets a process open. */
const ALWAYS: MostConnections = { unauthenticated: 64, all: 64 };
/** A client may open thousands of connections at once and send its requests a moment later. */
const MOST: MostConnections = { unauthenticated: 4_096, all: 16_384 };
/** Turned away, and not closed by the client yet: an end at once could take the response away from it. */
const MOST_ENDING = 64;
const LOG_EVERY_MS = 60_000;

const BODY = JSON.stringify({
  error: { code: "unavailable", message: "The daemon has too many connections.", hint: "Try again in a second." },
});
const TURNED_AWAY = [
  "HTTP/1.1 503 Service Unavailable",
  "retry-after: 1",
  "connection: close",
  "content-type: application/json; charset=utf-8",
  `content-length: ${BODY.length}`,
  "",
  BODY,
].join("\r\n");

export function createConnectionLimits(log: Log, clock: Pick<Clock, "monotonic">): ConnectionLimits {
  /** The oldest ones are first. */
  const unauthenticated = new Set<Socket>();
  const ending = new Set<Socket>();
  const turnedAway = new WeakSet<Socket>();
  let count = 0;
  let accepted = 0;
  let limits = ALWAYS;
  let isMeasured = false;
  let untold = 0;
  let loggedAt = -Infinity;

  const turnAway = (socket: Socket | undefined, what: string): void => {
    if (socket === undefined) return;
    unauthenticated.delete(socket);
    turnedAway.add(socket);
    ending.add(socket);
    socket.end(TURNED_AWAY);
    const [oldest] = ending;
    if (ending.size > MOST_ENDING) oldest?.destroy();
    untold += 1;
    if (clock.monotonic() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = clock.monotonic();
    log.warn(what, { turnedAway: untold, ...limits });
    untold = 0;
  };
  const isAbove = (limit: keyof MostConnections): boolean => {
    const now = limit === "all" ? count : unauthenticated.size;
    // To find out costs a millisecond, so it is done when it matters.
    if (now > limits[limit] && !isMeasured) {
      isMeasured = true;
      limits = mostFor(openFilesLimit());
    }
    return now > limits[limit];
  };

  return {
    add(socket) {
      count += 1;
      accepted += 1;
      unauthenticated.add(socket);
      socket.once("close", () => {
        count -= 1;
        unauthenticated.delete(socket);
        ending.delete(socket);
      });
      if (isAbove("all")) turnAway(socket, "too many connections: the newest were turned away");
      else if (isAbove("unauthenticated")) {
        turnAway(unauthenticated.values().next().value, "too many connections without a token: the oldest were closed");
      }
    },
    accepted: () => accepted,
    authenticated: (socket) => void unauthenticated.delete(socket),
    isTurnedAway: (socket) => turnedAway.has(socket),
  };
}

/** The database, the workers and the files of projects need the rest. */
function mostFor(openFiles: number): MostConnections {
  return {
    unauthenticated: Math.min(MOST.unauthenticated, Math.floor(openFiles / 2)),
    all: Math.min(MOST.all, Math.floor((openFiles * 3) / 4)),
  };
}
