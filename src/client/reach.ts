import type { Discovery } from "../contract/service/discovery.ts";
import { reachableHost } from "./address.ts";
import { readDiscovery } from "./discovery.ts";
import { connectTo } from "./transport/connection.ts";
import { authenticate, WrongPeer, type AuthenticatedConnection } from "./transport/handshake.ts";
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
  try {
    const socket = await connectTo(peer, timeoutMs);
    try {
      const connection = await authenticate(socket, daemon.token, timeoutMs);
      if (connection.daemon.status !== "draining") return { state: "ready", connection, daemon };
    } catch (error) {
      socket[Symbol.dispose]();
      throw error;
    }
    socket[Symbol.dispose]();
    return { state: "draining", daemon };
  } catch (error) {
    const problem = connectionProblem(error);
    if (problem === undefined) throw error;
    const what = error instanceof WrongPeer ? "is not true any more" : "leads nowhere";
    return { state: "unreachable", reason: `its registration ${what}: ${problem} (${peer.host} port ${peer.port})` };
  }
}
