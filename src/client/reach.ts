import type { Discovery } from "../contract/service/discovery.ts";
import { systemClock } from "../kernel/clock.ts";
import { reachableHost } from "./address.ts";
import { readDiscovery } from "./discovery.ts";
import { BrokenConnection, CUT_OFF } from "./transport/byte-source.ts";
import { connectTo, type Peer } from "./transport/connection.ts";
import { authenticate, TurnedAway, WrongPeer, type AuthenticatedConnection } from "./transport/handshake.ts";
import { connectionProblem } from "./unreachable.ts";

/** The state of the daemon of a home. Only a handshake proves it, never the file, a process id or a port. */
export type Reached =
  | { readonly state: "ready"; readonly connection: AuthenticatedConnection; readonly daemon: Discovery }
  /** It responds, but is stopping and would refuse requests. */
  | { readonly state: "draining"; readonly daemon: Discovery }
  | { readonly state: "unreachable"; readonly reason: string };

/** For the handshake: a daemon on a busy machine is slow, another program may never respond. */
const TIMEOUT_MS = 5_000;

export async function reachDaemon(home: string, timeoutMs = TIMEOUT_MS): Promise<Reached> {
  const registration = readDiscovery(home);
  if (registration.state === "absent") return { state: "unreachable", reason: "none is registered" };
  if (registration.state === "unusable") return { state: "unreachable", reason: registration.reason };
  const { daemon } = registration;
  const peer = { host: reachableHost(daemon.host), port: daemon.port };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const connection = await openConnection(peer, daemon.token, timeoutMs);
      if (connection.daemon.status !== "draining") return { state: "ready", connection, daemon };
      connection[Symbol.dispose]();
      return { state: "draining", daemon };
    } catch (error) {
      const problem = connectionProblem(error);
      if (problem === undefined) throw error;
      if (error instanceof TurnedAway && attempt < MOST_ATTEMPTS) {
        await systemClock.sleep(TURNED_AWAY_MS);
        continue;
      }
      if (wasCutOff(error) && attempt < MOST_ATTEMPTS) continue;
      const what = error instanceof WrongPeer ? "is not true any more" : "leads nowhere";
      return { state: "unreachable", reason: `its registration ${what}: ${problem} (${peer.host} port ${peer.port})` };
    }
  }
}

async function openConnection(peer: Peer, token: string, timeoutMs: number): Promise<AuthenticatedConnection> {
  const socket = await connectTo(peer, timeoutMs);
  try {
    return await authenticate(socket, token, timeoutMs);
  } catch (error) {
    socket[Symbol.dispose]();
    throw error;
  }
}

/**
 * A daemon with too many connections turns away those that have not proved that they know the token, or closes them.
 * Nothing has been asked of it by then, so the client can try again.
 */
const MOST_ATTEMPTS = 5;
/** What the daemon says in `retry-after`. */
const TURNED_AWAY_MS = 1_000;

/** Not after a timeout, which is a BrokenConnection itself. */
function wasCutOff(error: unknown): boolean {
  if (error instanceof BrokenConnection) return error.message === CUT_OFF && !(error.cause instanceof BrokenConnection);
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}
