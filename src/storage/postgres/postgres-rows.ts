import { Fault } from "../../kernel/fault.ts";
import type { Value } from "../connection.ts";
import { selectAfter, selectLast, type StoreRows, type WritableStoreRows } from "../transfer/store-rows.ts";
import { connectClient } from "./client.ts";
import { migratePostgres } from "./migrate.ts";
import { postgresFault } from "./postgres-fault.ts";
import { ServerConnection } from "./server-connection.ts";
import { parseServerUrl, type ServerSettings } from "./server-settings.ts";
import { readTransferMark, setTransferMark, UNFINISHED } from "./transfer-mark.ts";

const COPY_TIMEOUT_MS = 600_000;

/** The rows of a store on a server. Refuses while a daemon uses it. `markMoved` keeps it from being used afterwards. */
export async function openPostgresRows(url: string, now: number): Promise<StoreRows & { markMoved(): Promise<void> }> {
  const { rows, connection, settings } = await open(url, now, async (opened) => {
    await refuseUsed(opened.connection, opened.settings);
  });
  return { ...rows, markMoved: () => setTransferMark(connection, settings.schema, "moved away") };
}

/** A new store on a server. Its schema must be new, or have been left by an interrupted attempt from the same store. */
export async function openWritablePostgresRows(url: string, source: string, now: number): Promise<WritableStoreRows> {
  const { rows, connection, settings } = await open(url, now, async ({ connection: server, settings: at }) => {
    const [there] = await server.execute(`SELECT to_regnamespace('"${at.schema}"') IS NOT NULL AS found`);
    if (there?.["found"] === 1) {
      const mark = await readTransferMark(server, at.schema);
      if (mark !== `${UNFINISHED} ${source}`) {
        throw new Fault("file_unwritable", `There is a schema "${at.schema}" in the database already.`, {
          hint: "Choose another one with ?schema=NAME at the end of the URL.",
        });
      }
      return;
    }
    await server.execute("BEGIN");
    await server.execute(`CREATE SCHEMA "${at.schema}"`);
    await setTransferMark(server, at.schema, `${UNFINISHED} ${source}`);
    await server.execute("COMMIT");
  });
  return {
    ...rows,
    async insert({ name, columns }, list) {
      let position = 0;
      const marks = list.map((row) => `(${row.map(() => `$${(position += 1)}`).join(", ")})`);
      const text = `INSERT INTO ${name} (${columns.join(", ")}) VALUES ${marks.join(", ")}`;
      await connection.run({ text }, list.flat()).catch((error: unknown) => {
        throw postgresFault(error, settings);
      });
    },
    async finish(storeId) {
      await connection.run({ text: "UPDATE meta SET store_id = $1" }, [storeId]);
      await setTransferMark(connection, settings.schema, null);
    },
  };
}

async function open(
  url: string,
  now: number,
  prepare: (parts: { readonly connection: ServerConnection; readonly settings: ServerSettings }) => Promise<void>,
) {
  const settings = parseServerUrl(url);
  const connection = await connect(settings);
  try {
    await prepare({ connection, settings });
    await migratePostgres(connection, settings, now);
    return { rows: await rowsOf(connection, settings), connection, settings };
  } catch (error) {
    await connection.end();
    throw postgresFault(error, settings);
  }
}

/** One state of a store, while work goes on. */
export async function openSnapshotRows(settings: ServerSettings): Promise<StoreRows> {
  const connection = await connect(settings);
  try {
    await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return await rowsOf(connection, settings);
  } catch (error) {
    await connection.end();
    throw postgresFault(error, settings);
  }
}

async function connect(settings: ServerSettings): Promise<ServerConnection> {
  const options = { name: "agent-worker-transfer", statementTimeoutMs: COPY_TIMEOUT_MS };
  return new ServerConnection(await connectClient(settings, options));
}

async function rowsOf(connection: ServerConnection, settings: ServerSettings): Promise<StoreRows> {
  const [meta] = await connection.execute("SELECT store_id FROM meta");
  const lists = (sql: string, values: readonly Value[]): Promise<Value[][]> => {
    let position = 0;
    const text = sql.replace(/\?/g, () => `$${(position += 1)}`);
    return connection.lists({ text }, values).catch((error: unknown) => {
      throw postgresFault(error, settings);
    });
  };
  return {
    storeId: meta?.["store_id"] as string,
    after: (table, key, limit) => lists(selectAfter(table, key === null), [...(key ?? []), limit]),
    lastKey: async (table) => (await lists(selectLast(table), []))[0] ?? null,
    [Symbol.asyncDispose]: () => connection.end(),
  };
}

async function refuseUsed(connection: ServerConnection, { schema }: ServerSettings): Promise<void> {
  const [used] = await connection.execute(
    `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()
       AND application_name LIKE 'agent-worker ${schema}%'`,
  );
  if (used?.["n"] === 0) return;
  throw new Fault("database_locked", "A daemon uses this store.", {
    hint: "Stop the daemons of all machines first: agent-worker daemon stop",
  });
}
