import type { WriteConnection } from "../connection.ts";

/** What the two schemas of a connection are called. */
export interface SchemaNames {
  readonly tables: readonly string[];
  readonly durable: string;
  readonly ephemeral: string;
}

/** Returns the connection with every statement bound to the tables of the ephemeral schema; `main.` means the durable. */
export function bindToSchema(connection: WriteConnection, names: SchemaNames): WriteConnection {
  const bind = tableQualifier(names);
  return {
    sizeStatement: connection.sizeStatement,
    all: (sql) => connection.all(bind(sql)),
    get: (sql) => connection.get(bind(sql)),
    lists: (sql) => connection.lists(bind(sql)),
    run: (sql) => connection.run(bind(sql)),
    write: (sql) => connection.write(bind(sql)),
    insert: (sql) => connection.insert(bind(sql)),
    append: (sql) => connection.append(bind(sql)),
    onUndo: (listener) => connection.onUndo(listener),
  };
}

/**
 * Returns a function that puts the schema before each table name. A table is named only after one of four words, so
 * columns with the name of a table (`step.run`, `vote.ballot`) stay as they are. A test checks every statement.
 */
function tableQualifier({ tables, durable, ephemeral }: SchemaNames): (sql: string) => string {
  const named = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE)(\\s+)(main\\.)?(${tables.join("|")})\\b`, "g");
  return (sql) =>
    sql.replace(named, (_all, word: string, gap: string, main: string | undefined, table: string) => {
      return `${word}${gap}${main === undefined ? ephemeral : durable}.${table}`;
    });
}
