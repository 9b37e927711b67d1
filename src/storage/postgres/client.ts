import type { Client, ClientConfig } from "pg";
import { Fault } from "../../kernel/fault.ts";
import { postgresFault } from "./postgres-fault.ts";
import type { ServerSettings } from "./server-settings.ts";
import { fromStoredText } from "./stored-text.ts";

/** The only file that loads `pg`: a daemon without such a store never does. */
export interface PostgresClient extends Client {
  /** Below an encryption, if there is one. */
  readonly socket: { readonly bytesRead: number; destroy(): void };
  /** Not in the types of the library. */
  readonly processID: number;
}

/** What the types of the library leave out: the stream of a client, which encryption replaces when it connects. */
interface Inner {
  readonly connection: { readonly stream: PostgresClient["socket"] };
}

export interface ClientOptions {
  /** What the server shows in its list of sessions. */
  readonly name: string;
  /** A statement that takes longer is ended by the server, also while it waits for a lock. */
  readonly statementTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A process that was paused inside a transaction loses it after this time: others wait for its lock. */
const IDLE_TRANSACTION_MS = 5_000;

const [BOOL, INT8, TEXT, NUMERIC] = [16, 20, 25, 1700];

/** Numbers are numbers and truth is 0 or 1, as the tables expect. Sequence numbers and times are below 2^53. */
async function valueTypes(): Promise<ClientConfig["types"]> {
  const { default: pg } = await import("pg");
  const own: Readonly<Record<number, (text: string) => number | string>> = {
    [BOOL]: (text) => (text === "t" ? 1 : 0),
    [INT8]: Number,
    [TEXT]: fromStoredText,
    [NUMERIC]: Number,
  };
  return {
    getTypeParser: ((oid: number, format?: "text" | "binary") =>
      own[oid] ?? pg.types.getTypeParser(oid, format)) as never,
  };
}

/** Connects to the first host that accepts writes. Throws the Fault of the last one. */
export async function connectClient(settings: ServerSettings, options: ClientOptions): Promise<PostgresClient> {
  let last: unknown;
  for (const host of settings.hosts) {
    try {
      return await connectTo(settings, host, options);
    } catch (error) {
      last = postgresFault(error, settings);
    }
  }
  throw last;
}

async function connectTo(
  settings: ServerSettings,
  host: ServerSettings["hosts"][number],
  options: ClientOptions,
): Promise<PostgresClient> {
  const { default: pg } = await import("pg");
  const config: ClientConfig & { readonly pipeline: boolean } = {
    connectionString: settings.urlOf(host),
    application_name: options.name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: await valueTypes(),
    // Statements are sent without waiting for the answers of those before.
    pipeline: true,
  };
  const made = new pg.Client(config) as unknown as Omit<PostgresClient, "socket"> & Inner;
  const client: PostgresClient = Object.assign(made, { socket: made.connection.stream });
  // An error of a connection that nobody uses must not end the process; the next statement on it fails.
  client.on("error", () => {});
  try {
    await client.connect();
    // The tables in memory have the names of those on disk, and are found only by their schema.
    await client.query(
      `SET search_path TO "${settings.schema}", pg_temp; SET statement_timeout = ${options.statementTimeoutMs};
       SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}; SET client_encoding = 'UTF8'`,
    );
    if (settings.hosts.length > 1) await refuseStandby(client);
    return client;
  } catch (error) {
    client.socket.destroy();
    throw error;
  }
}

async function refuseStandby(client: PostgresClient): Promise<void> {
  const { rows } = await client.query<{ standby: number }>("SELECT pg_is_in_recovery() AS standby");
  if (rows[0]?.standby === 1) {
    throw new Fault("database_unreachable", "None of the servers accepts writes.", {
      hint: "Promote one of them; work goes on by itself.",
    });
  }
}
