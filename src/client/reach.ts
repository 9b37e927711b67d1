import type { Discovery } from "../contract/service/discovery.ts";
import { reachableHost } from "./address.ts";
import { challenge, connectTo, NotTheDaemon } from "./transport/connection.ts";
import { readDiscovery } from "./discovery.ts";
import { connectionTrouble } from "./unreachable.ts";
import type { AuthenticatedConnection } from "./transport/connection-pool.ts";

/** Whether the daemon of a home is there, which only its own proof can tell: not the file, not a process id, not a port. */
export type Reached =
  | { readonly state: "there"; readonly link: AuthenticatedConnection; readonly daemon: Discovery }
  /** It answers, but is on its way out: what it was asked now would be refused. */
  | { readonly state: "leaving"; readonly daemon: Discovery }
  | { readonly state: "gone"; readonly reason: string };

/** How long a daemon may take to prove itself: one on a busy machine is slow, a stranger may never say anything. */
const PATIENCE_MS = 5_000;

export async function reachDaemon(home: string, timeoutMs = PATIENCE_MS): Promise<Reached> {
  const registration = readDiscovery(home);
  if (registration.state === "absent") return { state: "gone", reason: "none is registered" };
  if (registration.state === "unusable") return { state: "gone", reason: registration.reason };
  const { daemon } = registration;
  const peer = { host: reachableHost(daemon.host), port: daemon.port };
  try {
    const connection = await connectTo(peer, timeoutMs);
    try {
      const greeting = await challenge(connection, daemon.token, timeoutMs);
      if (greeting.status !== "draining") {
        return { state: "there", link: { connection, token: daemon.token, greeting }, daemon };
      }
    } catch (error) {
      connection[Symbol.dispose]();
      throw error;
    }
    connection[Symbol.dispose]();
    return { state: "leaving", daemon };
  } catch (error) {
    const trouble = connectionTrouble(error);
    if (trouble === undefined) throw error;
    const what = error instanceof NotTheDaemon ? "is not true any more" : "leads nowhere";
    return { state: "gone", reason: `its registration ${what}: ${trouble} (${peer.host} port ${peer.port})` };
  }
}
