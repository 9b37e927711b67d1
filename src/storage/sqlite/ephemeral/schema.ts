import type { Database, WriteConnection } from "../connection.ts";

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

/** Returns the connection with every statement bound to the tables of the attached schema. */
export function bindToSchema(connection: WriteConnection, tables: readonly string[]): WriteConnection {
  const bind = tableQualifier(tables);
  return {
    all: (sql) => connection.all(bind(sql)),
    get: (sql) => connection.get(bind(sql)),
    lists: (sql) => connection.lists(bind(sql)),
    run: (sql) => connection.run(bind(sql)),
    insert: (sql) => connection.insert(bind(sql)),
  };
}

/**
 * Returns a function that puts the schema before each table name. A table is named only after one of four words, so
 * columns with the name of a table (`step.run`, `vote.ballot`) stay as they are. A test checks every statement.
 */
function tableQualifier(tables: readonly string[]): (sql: string) => string {
  const named = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE)(\\s+)(${tables.join("|")})\\b`, "g");
  return (sql) => sql.replace(named, `$1$2${SCHEMA}.$3`);
}
