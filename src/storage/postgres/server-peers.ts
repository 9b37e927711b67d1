import { randomUUID } from "node:crypto";
import { systemClock } from "../../kernel/clock.ts";
import type { StorePeers } from "../../ports/store/cluster/peers.ts";
import { readHint, type CommitHint } from "./commit-hint.ts";
import type { ServerConnection } from "./server-connection.ts";

/** The server refuses 8,000 bytes and more. */
const MOST_BYTES = 7_500;
/** A hint begins with the name of its sender and its kind. */
const COMMITTED = "c";
const TOLD = "t";
const RETRY_MS = 1_000;
const PING_MS = 10_000;

const HOLD = "SELECT pg_advisory_lock(hashtext($1), hashtext($2))";
/** Which of a list of instances hold their lock. The numbers of a lock are shown without their sign. */
const HELD = `SELECT i.instance FROM json_array_elements_text($2::json) AS i(instance)
  WHERE EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid::bigint = (hashtext($1)::bigint & 4294967295)
    AND l.objid::bigint = (hashtext(i.instance)::bigint & 4294967295))`;

export interface ServerPeers extends StorePeers {
  /**
   * Values for a statement that is sent with each commit that changed something: the channel, and what comes before and
   * after the number of the last event. The server delivers the hint if the commit happens. Undefined: there is nothing to
   * tell.
   */
  ofCommit(hint: CommitHint): readonly [channel: string, before: string, after: string] | undefined;
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
  let announced: string | undefined;
  /** A lock that ends with the session, however that ends. */
  const hold = (opened: ServerConnection): void => {
    if (announced !== undefined) opened.rows({ text: HOLD }, [`agent-worker ${schema}`, announced]).catch(() => {});
  };

  const receive = (payload: string): void => {
    const [from, kind] = [payload.slice(0, own.length), payload[own.length]];
    if (from === own) return;
    for (const { committed, told } of listeners) {
      if (kind === COMMITTED) committed(readHint(payload.slice(own.length + 1)));
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
        hold(opened);
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
    ofCommit(hint) {
      const text = hint.text(MOST_BYTES);
      return text === undefined ? undefined : [channel, `${own}${COMMITTED}`, ` ${text}`];
    },
    observe(listener) {
      listeners.add(listener);
      listening ??= listen();
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    announce(instance) {
      announced = instance;
      if (connection !== undefined) hold(connection);
    },
    async connected(instances) {
      const session = connection;
      if (session === undefined || instances.length === 0) return undefined;
      try {
        const rows = await session.rows({ text: HELD }, [`agent-worker ${schema}`, JSON.stringify(instances)]);
        return { session, instances: new Set(rows.map(({ instance }) => instance as string)) };
      } catch {
        return undefined;
      }
    },
    tell(text) {
      connection?.rows({ text: "SELECT pg_notify($1, $2)" }, [channel, `${own}${TOLD}${text}`]).catch(() => {});
    },
    async close() {
      stopped.abort();
      await connection?.end();
    },
  };
}
