import type { ServerConnection } from "./server-connection.ts";

/**
 * What the server itself finds wrong: broken checksums, indexes that are not valid, and with the extension `amcheck`
 * every index that contradicts its table.
 */
export async function findPostgresDamage(connection: ServerConnection, schema: string): Promise<string[]> {
  const problems: string[] = [];
  const [checksums] = await connection.execute(
    "SELECT coalesce(checksum_failures, 0) AS n FROM pg_stat_database WHERE datname = current_database()",
  );
  if (Number(checksums?.["n"] ?? 0) > 0) problems.push(`${Number(checksums?.["n"])} pages have a wrong checksum`);
  const indexes = await connection.execute(
    `SELECT c.relname AS name, i.indisvalid AS valid, c.oid::bigint AS id, a.amname AS method
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
       JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '${schema}' ORDER BY c.relname`,
  );
  const [checker] = await connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'");
  for (const { name, valid, id, method } of indexes) {
    if (valid !== 1) problems.push(`the index ${name as string} is not valid`);
    else if (checker !== undefined && method === "btree") {
      await connection
        .execute(`SELECT bt_index_check(${Number(id)}::oid::regclass)`)
        .catch((error: unknown) => problems.push(`the index ${name as string}: ${(error as Error).message}`));
    }
  }
  return problems;
}
