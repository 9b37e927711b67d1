import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Row, Value } from "../connection.ts";

/** The only file that imports `node:sqlite`. */
export type Database = DatabaseSync;

export interface DatabaseOptions {
  readonly readOnly?: boolean;
  /** Whether `enableLoadExtension` may be called later. Loading is off until then. */
  readonly mayLoadExtension?: boolean;
}

export function openDatabase(file: string, options: DatabaseOptions = {}): Database {
  const { readOnly = false, mayLoadExtension = false } = options;
  const db = new DatabaseSync(file, { readOnly, allowExtension: mayLoadExtension });
  if (mayLoadExtension) db.enableLoadExtension(false);
  return db;
}

const SIZE = `SELECT p.page_count * s.page_size AS bytes, f.freelist_count * s.page_size AS free
  FROM pragma_page_count() p, pragma_page_size() s, pragma_freelist_count() f`;

/**
 * The `Connection` of SQLite, which answers at once. A statement is prepared at its first use, because a project that is
 * only opened uses a tenth of all statements.
 */
export function connection(db: Database) {
  return {
    sizeStatement: SIZE,
    all: (sql: string) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values: Value[]): Row[] => statement().all(...values);
    },
    get: (sql: string) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values: Value[]): Row | undefined => statement().get(...values);
    },
    lists: (sql: string) => {
      const statement = onFirstUse(() => {
        const prepared = db.prepare(sql);
        prepared.setReturnArrays(true);
        return prepared;
      });
      return (...values: Value[]) => statement().all(...values) as unknown as Value[][];
    },
  };
}

export type SqliteConnection = ReturnType<typeof connection>;
export type SqliteWriteConnection = ReturnType<typeof writeConnection>;

/** Calls `beforeWrite` before each statement that changes rows. */
export function writeConnection(
  db: Database,
  beforeWrite: () => void,
  onUndo: (listener: () => void) => void = () => {},
) {
  return {
    ...connection(db),
    onUndo,
    run: (sql: string) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values: Value[]) => {
        beforeWrite();
        return Number(statement().run(...values).changes);
      };
    },
    write: (sql: string) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values: Value[]): void => {
        beforeWrite();
        statement().run(...values);
      };
    },
    insert: (sql: string) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values: Value[]) => {
        beforeWrite();
        return Number(statement().run(...values).lastInsertRowid);
      };
    },
    append: (sql: string) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (told: (seq: number) => void, ...values: Value[]): void => {
        beforeWrite();
        told(Number(statement().run(...values).lastInsertRowid));
      };
    },
  };
}

function onFirstUse(prepare: () => StatementSync): () => StatementSync {
  let prepared: StatementSync | undefined;
  return () => (prepared ??= prepare());
}
