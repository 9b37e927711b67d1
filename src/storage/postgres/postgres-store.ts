import { Fault } from "../../kernel/fault.ts";
import type { DocumentRules } from "../../ports/documents.ts";
import type { Store, StoreReads, StoreWrites } from "../../ports/store/store.ts";
import { EphemeralSchemaNeeded, openEphemeralStore, type EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import { refuseEphemeral } from "../ephemeral/refuse-ephemeral.ts";
import { readTables, writeTables } from "../tables.ts";
import { documentTable, storeDocuments, type DocumentTable } from "../tables/document.ts";
import { connectClient } from "./client.ts";
import { findPostgresDamage } from "./damage.ts";
import { PostgresDriver } from "./driver.ts";
import { migratePostgres } from "./migrate.ts";
import { postgresFault } from "./postgres-fault.ts";
import { parseServerUrl, type ServerSettings } from "./server-settings.ts";
import { readConnection, ServerConnection, writeConnection } from "./server-connection.ts";
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
  const address = parseServerUrl(url);
  const client = {
    name: options.name ?? "agent-worker",
    statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
  };
  const connect = async (): Promise<ServerConnection> => new ServerConnection(await connectClient(address, client));
  const session = await connect();
  try {
    const migration = await migratePostgres(session, address, rules.now());
    const [meta] = await session.execute("SELECT store_id FROM meta");
    const driver = new PostgresDriver({ address, connect, session, readers: options.readers ?? READERS });
    return { ...storeOn(driver, address, rules), id: meta?.["store_id"] as string, migration };
  } catch (error) {
    await session.end();
    throw postgresFault(error, address);
  }
}

function storeOn(
  driver: PostgresDriver,
  address: ServerSettings,
  rules: DocumentRules,
): Omit<Store, "id" | "migration"> {
  const readsOf = readsOfSessions();
  const documentsOf = new WeakMap<ServerConnection, DocumentTable>();
  const throughWriter = readTables(driver.writer, "durable");
  const durable = { reads: throughWriter, writes: refuseEphemeral(writeTables(driver.writer, "durable")) };
  const durableDocuments = documentTable(driver.writer, driver.writer);
  /** Undefined until the first space in memory is opened: without one nothing costs more. */
  let ephemeral: EphemeralStore | undefined;
  let opening: Promise<void> | undefined;
  const nested: StoreWrites["nested"] = (work) => driver.nested(work);
  const writes = (): StoreWrites => ({ ...(ephemeral ?? durable).writes, nested });
  let current = writes();

  const openEphemeral = async (): Promise<void> => {
    const tables = await driver.exclusive((session) => makeTemporaryTables(session, address.schema));
    driver.readThroughWriter(memoryLost());
    const names = { tables, durable: `"${address.schema}"`, ephemeral: "pg_temp" };
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
    lostCommits: 0,
    findAbsence: () => driver.unreachable,
    read: (work) =>
      driver.read((session) => work(session === undefined ? (ephemeral ?? durable).reads : readsOf(session))),
    transact,
    documents: storeDocuments(
      (space, work) =>
        driver.read(async (session) => {
          if (session === undefined) return work((await ephemeral?.documents(space)) ?? durableDocuments);
          let table = documentsOf.get(session);
          if (table === undefined) {
            const connection = writeConnection(
              () => session,
              () => {},
            );
            table = documentTable(connection, connection);
            documentsOf.set(session, table);
          }
          return work(table);
        }),
      async (space) => (await ephemeral?.documents(space)) ?? durableDocuments,
      rules,
    ),
    retire: async (space) => ephemeral?.retire(space),
    findDamage: () => driver.exclusive((session) => findPostgresDamage(session, address.schema)),
    hold: (work) => driver.hold(work),
    backup: async (file) => {
      throw new Fault("file_unwritable", `A store on PostgreSQL is not copied to ${file}.`, { hint: "Use pg_dump." });
    },
    [Symbol.asyncDispose]: () => driver.close(),
  };
}

/** Each session prepares its own statements, so each has tables of its own. */
function readsOfSessions(): (session: ServerConnection) => StoreReads {
  const made = new WeakMap<ServerConnection, StoreReads>();
  return (session) => {
    const known = made.get(session);
    if (known !== undefined) return known;
    const reads = readTables(
      readConnection(() => session),
      "durable",
    );
    made.set(session, reads);
    return reads;
  };
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
