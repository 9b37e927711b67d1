import { Fault } from "../../kernel/fault.ts";
import type { DocumentRules } from "../../ports/documents.ts";
import type { Store, StoreReads, StoreWrites } from "../../ports/store/store.ts";
import { EphemeralSchemaNeeded, openEphemeralStore, type EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import { refuseEphemeral } from "../ephemeral/refuse-ephemeral.ts";
import type { Connection } from "../connection.ts";
import { readTables, writeTables, type WriteTables } from "../tables.ts";
import { documentTable, storeDocuments, type DocumentTable } from "../tables/document.ts";
import { connectClient } from "./client.ts";
import { CommitHint } from "./commit-hint.ts";
import { findPostgresDamage } from "./damage.ts";
import { PostgresDriver } from "./driver.ts";
import { migratePostgres } from "./migrate.ts";
import { copyToFile } from "./copy-to-file.ts";
import { refuseTransferred } from "./transfer-mark.ts";
import { postgresFault } from "./postgres-fault.ts";
import { createServerPeers } from "./server-peers.ts";
import { parseServerUrl, type ServerSettings } from "./server-settings.ts";
import { plainWriteConnection, readConnection, ServerConnection } from "./server-connection.ts";
import { SilentConnections } from "./silent-connections.ts";
import { makeTemporaryTables } from "./temporary-tables.ts";

export interface PostgresOptions {
  /** Connections for reads, at most. One more writes. */
  readonly readers?: number;
  readonly statementTimeoutMs?: number;
  /** Shown by the server in its list of sessions. */
  readonly name?: string;
}

const READERS = 4;
const STATEMENT_TIMEOUT_MS = 30_000;

/** The Store port on PostgreSQL: one project is one schema of a database that several daemons may share. */
export async function openPostgresStore(
  url: string,
  rules: DocumentRules,
  options: PostgresOptions = {},
): Promise<Store> {
  const settings = parseServerUrl(url);
  const client = {
    // `store migrate` looks for this name.
    name: `agent-worker ${settings.schema} ${options.name ?? ""}`.trim(),
    statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
  };
  const open = async (): Promise<ServerConnection> => new ServerConnection(await connectClient(settings, client));
  const watch = new SilentConnections(settings, open);
  const connect = async (): Promise<ServerConnection> => watch.watch(await open());
  const connection = await connect().catch((error: unknown) => {
    watch.close();
    throw error;
  });
  try {
    await refuseTransferred(connection, settings.schema);
    const migration = await migratePostgres(connection, settings, rules.now());
    const [meta] = await connection.execute("SELECT store_id FROM meta");
    const peers = createServerPeers(settings.schema, connect);
    const hint = new CommitHint();
    const driver = new PostgresDriver({
      settings,
      connect,
      connection,
      readers: options.readers ?? READERS,
      hint,
      ofCommit: (told) => peers.ofCommit(told),
    });
    const store = storeOn(driver, settings, rules, hint);
    const close = async (): Promise<void> => {
      const closing = store[Symbol.asyncDispose]();
      await peers.close();
      await closing;
      watch.close();
    };
    return { ...store, peers, [Symbol.asyncDispose]: close, id: meta?.["store_id"] as string, migration };
  } catch (error) {
    watch.close();
    await connection.end();
    throw postgresFault(error, settings);
  }
}

function storeOn(
  driver: PostgresDriver,
  settings: ServerSettings,
  rules: DocumentRules,
  hint: CommitHint,
): Omit<Store, "id" | "migration"> {
  const readsOf = readsOfConnections();
  const documentsOf = new WeakMap<ServerConnection, DocumentTable>();
  const time = serverTime(driver.writer);
  const throughWriter = { ...readTables(driver.writer, "durable"), time };
  const durable = {
    reads: throughWriter,
    writes: refuseEphemeral(noting(hint, writeTables(driver.writer, "durable"))),
  };
  const durableDocuments = documentTable(driver.writer, driver.writer);
  /** Undefined until the first space in memory is opened: without one nothing costs more. */
  let ephemeral: EphemeralStore | undefined;
  let opening: Promise<void> | undefined;
  const nested: StoreWrites["nested"] = (work) => driver.nested(work);
  const writes = (): StoreWrites => ({ ...(ephemeral ?? durable).writes, nested, time });
  let current = writes();

  const openEphemeral = async (): Promise<void> => {
    const tables = await driver.exclusive((connection) => makeTemporaryTables(connection, settings.schema));
    driver.readThroughWriter(memoryLost());
    const names = { tables, durable: `"${settings.schema}"`, ephemeral: "pg_temp" };
    ephemeral = openEphemeralStore({ ...ephemeralDriver(driver), writer: driver.writer }, names, durable);
    current = writes();
  };

  const transact: Store["transact"] = async (work, options) => {
    try {
      return await driver.transact(() => work(current), options);
    } catch (error) {
      if (!(error instanceof EphemeralSchemaNeeded) || options?.once === true) throw error;
      await (opening ??= openEphemeral());
      return transact(work, options);
    }
  };

  return {
    shared: true,
    lostCommits: 0,
    findAbsence: () => driver.unreachable,
    read: (work) =>
      driver.read((connection) => work(connection === undefined ? (ephemeral ?? durable).reads : readsOf(connection))),
    transact,
    documents: storeDocuments(
      (space, work) =>
        driver.read(async (connection) => {
          if (connection === undefined) return work((await ephemeral?.documents(space)) ?? durableDocuments);
          let table = documentsOf.get(connection);
          if (table === undefined) {
            const own = plainWriteConnection(connection);
            table = documentTable(own, own);
            documentsOf.set(connection, table);
          }
          return work(table);
        }),
      async (space) => (await ephemeral?.documents(space)) ?? durableDocuments,
      rules,
    ),
    retire: async (space) => ephemeral?.retire(space),
    findDamage: () => driver.exclusive((connection) => findPostgresDamage(connection, settings.schema)),
    hold: (work) => driver.hold(work),
    backup: (file) => copyToFile(settings, file, rules.now()),
    [Symbol.asyncDispose]: () => driver.close(),
  };
}

/** Notes what the other daemons are told of. */
function noting(hint: CommitHint, writes: WriteTables): WriteTables {
  return {
    ...writes,
    runs: {
      ...writes.runs,
      open(run) {
        hint.begin(run.mailbox);
        return writes.runs.open(run);
      },
    },
    appendEvent(event, at) {
      hint.add(event, at);
      return writes.appendEvent(event, at);
    },
  };
}

/** Each connection prepares its own statements, so each has tables of its own. */
function readsOfConnections(): (connection: ServerConnection) => StoreReads {
  const made = new WeakMap<ServerConnection, StoreReads>();
  return (connection) => {
    const known = made.get(connection);
    if (known !== undefined) return known;
    const db = readConnection(() => connection);
    const reads = { ...readTables(db, "durable"), time: serverTime(db) };
    made.set(connection, reads);
    return reads;
  };
}

/** The clock of the server, which goes on inside a transaction. */
function serverTime(db: Connection): StoreReads["time"] {
  const select = db.get("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS time");
  return async () => (await select())?.["time"] as number;
}

function ephemeralDriver(driver: PostgresDriver) {
  return {
    memoryWriter: driver.writer,
    read: <T>(work: () => Promise<T>) => driver.read(work),
    transact: driver.transact.bind(driver),
  };
}

function memoryLost(): Fault {
  return new Fault("database_unreachable", "The connection that held the workspaces in memory was lost.", {
    hint: "Restart the daemon: what is in the database goes on, and workspaces in memory begin anew.",
  });
}
