import { openDatabase } from "../sqlite/connection.ts";
import { migrate } from "../sqlite/migrate.ts";
import type { Value } from "../connection.ts";

/** A table as far as copying it needs to know. The schema has the same in every database. */
export interface TableSpec {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns that name a row. Rows are read in their order, which is the same in every database. */
  readonly key: readonly string[];
}

/** The rows of a store, to be copied and compared. Nobody else changes them meanwhile. */
export interface StoreRows extends AsyncDisposable {
  readonly storeId: string;
  /** Returns rows with a larger key, at most `limit`; null means from the first. */
  after(table: TableSpec, key: readonly Value[] | null, limit: number): Promise<Value[][]>;
  /** Returns the key of the last row; null when there is none. */
  lastKey(table: TableSpec): Promise<readonly Value[] | null>;
}

export interface WritableStoreRows extends StoreRows {
  /** All of the rows or none. */
  insert(table: TableSpec, rows: readonly Value[][]): Promise<void>;
  /** The copy is complete: it takes over the id, and can be opened as a store. */
  finish(storeId: string): Promise<void>;
}

/** About each store itself, not about its content. */
const OWN = ["migration", "meta"];

/** Returns every table with data of a project; one that refers to another comes after it. */
export function listTables(): readonly TableSpec[] {
  const db = openDatabase(":memory:");
  try {
    migrate(db, { file: null, now: 0 });
    const names = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all()
      .map(({ name }) => name as string)
      .filter((name) => !OWN.includes(name));
    const columnsOf = db.prepare("SELECT name, pk FROM pragma_table_info(?)");
    const parentsOf = db.prepare('SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list(?)');
    const sorted: string[] = [];
    const add = (name: string): void => {
      if (sorted.includes(name)) return;
      for (const parent of parentsOf.all(name)) if (parent["name"] !== name) add(parent["name"] as string);
      sorted.push(name);
    };
    for (const name of names) add(name);
    return sorted.map((name) => {
      const columns = columnsOf.all(name).map((row) => ({ name: row["name"] as string, pk: row["pk"] as number }));
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
    });
  } finally {
    db.close();
  }
}

/** The statement for `after`, with `?` for the key and the limit. */
export function selectAfter({ name, columns, key }: TableSpec, fromFirst: boolean): string {
  const where = fromFirst ? "" : `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  return `SELECT ${columns.join(", ")} FROM ${name} ${where} ORDER BY ${key.join(", ")} LIMIT ?`;
}

/** The statement for `lastKey`. */
export function selectLast({ name, key }: TableSpec): string {
  return `SELECT ${key.join(", ")} FROM ${name} ORDER BY ${key.map((column) => `${column} DESC`).join(", ")} LIMIT 1`;
}
