import { systemClock } from "../../kernel/clock.ts";
import { connectClient } from "./client.ts";
import { postgresFault } from "./postgres-fault.ts";
import { ServerConnection } from "./server-connection.ts";
import { parseServerUrl } from "./server-settings.ts";
import { refuseTransferred } from "./transfer-mark.ts";

/** The state of a server and of the store on it, as seen without changing anything. */
export interface ServerInspection {
  /** The URL without its password. */
  readonly shown: string;
  readonly version: string;
  readonly versionNumber: number;
  /** The median of some round trips. */
  readonly latencyMs: number;
  /** Settings that protect acknowledged commits, by name: whether they are on. */
  readonly durable: Readonly<Record<string, boolean>>;
  readonly freeConnections: number;
  readonly hasStore: boolean;
  /** Sessions that wait longer than this check likes, and for whom: in words. */
  readonly waiting: readonly string[];
  /** Tables of which more than half is dead rows. */
  readonly bloated: readonly string[];
  readonly isEncrypted: boolean;
}

const PINGS = 5;
const DURABLE = ["fsync", "synchronous_commit", "full_page_writes"];
const TIMEOUT_MS = 10_000;

/** Throws the Fault that keeps the program from using the server. */
export async function inspectServer(url: string): Promise<ServerInspection> {
  const settings = parseServerUrl(url);
  const options = { name: "agent-worker-doctor", statementTimeoutMs: TIMEOUT_MS };
  const connection = new ServerConnection(await connectClient(settings, options));
  const one = async (sql: string) => (await connection.execute(sql))[0] ?? {};
  try {
    const times: number[] = [];
    for (let n = 0; n < PINGS; n += 1) {
      const start = systemClock.monotonic();
      await connection.execute("SELECT 1");
      times.push(systemClock.monotonic() - start);
    }
    const { version, number } = await one(
      "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
    );
    const values = await connection.execute(
      `SELECT name, setting FROM pg_settings WHERE name IN (${DURABLE.map((name) => `'${name}'`).join(", ")})`,
    );
    const { free } = await one(
      `SELECT current_setting('max_connections')::int - (SELECT count(*) FROM pg_stat_activity) AS free`,
    );
    const { found } = await one(`SELECT to_regclass('"${settings.schema}".meta') IS NOT NULL AS found`);
    await refuseTransferred(connection, settings.schema);
    const waiting = await connection.execute(
      `SELECT pid, application_name AS name, pg_blocking_pids(pid)::text AS blockers,
         extract(epoch FROM now() - query_start)::int AS seconds
       FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND now() - query_start > interval '2 seconds'`,
    );
    const bloated = await connection.execute(
      `SELECT relname AS name FROM pg_stat_user_tables
       WHERE schemaname = '${settings.schema}' AND n_dead_tup > 10000 AND n_dead_tup > n_live_tup`,
    );
    const { ssl } = await one("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    return {
      shown: settings.shown,
      version: version as string,
      versionNumber: number as number,
      latencyMs: times.toSorted((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0,
      durable: Object.fromEntries(values.map((row) => [row["name"] as string, row["setting"] !== "off"])),
      freeConnections: free as number,
      hasStore: found === 1,
      waiting: waiting.map(
        (row) =>
          `${row["name"] as string} (session ${Number(row["pid"])}) has waited ${Number(row["seconds"])} s for ${row["blockers"] as string}`,
      ),
      bloated: bloated.map((row) => row["name"] as string),
      isEncrypted: ssl === 1,
    };
  } catch (error) {
    throw postgresFault(error, settings);
  } finally {
    await connection.end();
  }
}
