import type { Database } from "./connection.ts";

/**
 * The second schema of the writing connection, in memory: a copy of the tables of `main` under another name. BEGIN,
 * SAVEPOINT, ROLLBACK and COMMIT cover both schemas.
 */
const SCHEMA = "ephemeral";

/** Attaches the schema and returns the names of its tables. Once, and outside any transaction. */
export function attachSchema(db: Database): readonly string[] {
  const objects = db
    .prepare("SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'index'")
    .all();
  const creates = objects.map(({ sql }) => String(sql).replace(/^CREATE (TABLE|(UNIQUE )?INDEX) /, `$&${SCHEMA}.`));
  // Small pages: most of the tables stay empty, and each takes at least one.
  db.exec(`ATTACH ':memory:' AS ${SCHEMA}; PRAGMA ${SCHEMA}.page_size = 1024; BEGIN; ${creates.join("; ")}; COMMIT`);
  return objects.filter(({ type }) => type === "table").map(({ name }) => String(name));
}
