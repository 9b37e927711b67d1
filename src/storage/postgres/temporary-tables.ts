import type { ServerConnection } from "./server-connection.ts";

/**
 * Makes the schema in memory: temporary tables of the writing connection, with the columns and indexes of the durable ones.
 * The server neither logs nor flushes them, no other connection sees them, and they are gone when the connection ends.
 * Returns their names.
 */
export async function makeTemporaryTables(connection: ServerConnection, schema: string): Promise<readonly string[]> {
  const rows = await connection.execute(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${schema}' ORDER BY table_name`,
  );
  const tables = rows.map(({ name }) => name as string).filter((name) => name !== "migration" && name !== "writer");
  const creates = tables.map((name) => `CREATE TEMP TABLE ${name} (LIKE "${schema}".${name} INCLUDING ALL)`);
  await connection.execute(`BEGIN; ${creates.join("; ")}; COMMIT`);
  return tables;
}
