import { randomUUID } from "node:crypto";
import { systemClock } from "../../kernel/clock.ts";
import type { StorePeers } from "../../ports/store/cluster/peers.ts";
import type { ServerConnection } from "./server-connection.ts";

/** The server refuses 8,000 bytes and more. */
const MOST_BYTES = 7_500;
const RETRY_MS = 1_000;
const PING_MS = 10_000;

export interface ServerPeers extends StorePeers {
  /** Sent with each commit that changed something: the server delivers it if the commit happens. */
  readonly notifyCommit: string;
  close(): Promise<void>;
}

type Listener = Parameters<StorePeers["observe"]>[0];

/**
 * Hints between the daemons of a project with LISTEN and NOTIFY, on a connection of their own. It is opened when somebody
 * observes, and opened again when it is lost; after that nobody knows what was missed, so a commit is reported.
 */
export function createServerPeers(schema: string, connect: () => Promise<ServerConnection>): ServerPeers {
  const own = randomUUID().slice(0, 8);
  const channel = `aw_${schema}`;
  const listeners = new Set<Listener>();
  const stopped = new AbortController();
  let connection: ServerConnection | undefined;
  let listening: Promise<void> | undefined;

  const receive = (payload: string): void => {
    const [from, kind] = [payload.slice(0, own.length), payload[own.length]];
    if (from === own) return;
    for (const { committed, told } of listeners) {
      if (kind === "c") committed();
      else told(payload.slice(own.length + 1));
    }
  };

  const listen = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      let opened: ServerConnection | undefined;
      try {
        opened = await connect();
        const ended = Promise.withResolvers<void>();
        opened.events.once("end", ended.resolve);
        opened.events.on("notification", ({ payload }) => receive(payload ?? ""));
        await opened.execute(`LISTEN ${channel}`);
        connection = opened;
        for (const { committed } of listeners) committed();
        // A connection that only listens would never notice that nothing comes any more.
        while (!stopped.signal.aborted && !opened.isEnded) {
          await Promise.race([ended.promise, systemClock.sleep(PING_MS, stopped.signal)]);
          if (!opened.isEnded) await opened.execute("SELECT 1");
        }
      } catch {
        // The server is away: the next attempt finds it.
      }
      connection = undefined;
      await opened?.end();
      await systemClock.sleep(RETRY_MS, stopped.signal).catch(() => {});
    }
  };

  return {
    mostBytes: MOST_BYTES,
    notifyCommit: `SELECT pg_notify('${channel}', '${own}c')`,
    observe(listener) {
      listeners.add(listener);
      listening ??= listen();
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    tell(text) {
      connection?.rows({ text: "SELECT pg_notify($1, $2)" }, [channel, `${own}t${text}`]).catch(() => {});
    },
    async close() {
      stopped.abort();
      await connection?.end();
    },
  };
}
