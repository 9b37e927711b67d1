import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** The only file that imports `node:sqlite`. */
export type Database = DatabaseSync;
export type Row = Record<string, SQLInputValue>;
export type Value = SQLInputValue;

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

/**
 * A statement is a function. It is prepared once, at its first use, because a project that is only opened uses a tenth
 * of all statements. SQLite silently prepares a statement again at every call when the value of a parameter may change
 * the plan: after LIMIT, and where a column is compared as in the condition of a partial index. `+?` there prevents it,
 * which is ten times faster.
 */
export interface Connection {
  all(sql: string): (...values: Value[]) => Row[];
  get(sql: string): (...values: Value[]) => Row | undefined;
  /** Rows as lists of values in the order of the columns: half the cost, for rows that are read in large numbers. */
  lists(sql: string): (...values: Value[]) => Value[][];
}

export interface WriteConnection extends Connection {
  /** Returns the number of rows changed. */
  run(sql: string): (...values: Value[]) => number;
  /** Returns the rowid of the inserted row. */
  insert(sql: string): (...values: Value[]) => number;
}

export function connection(db: Database): Connection {
  return {
    all: (sql) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values) => statement().all(...values);
    },
    get: (sql) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values) => statement().get(...values);
    },
    lists: (sql) => {
      const statement = onFirstUse(() => {
        const prepared = db.prepare(sql);
        prepared.setReturnArrays(true);
        return prepared;
      });
      return (...values) => statement().all(...values) as unknown as Value[][];
    },
  };
}

/** Calls `beforeWrite` before each statement that changes rows. */
export function writeConnection(db: Database, beforeWrite: () => void): WriteConnection {
  return {
    ...connection(db),
    run: (sql) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values) => {
        beforeWrite();
        return Number(statement().run(...values).changes);
      };
    },
    insert: (sql) => {
      const statement = onFirstUse(() => db.prepare(sql));
      return (...values) => {
        beforeWrite();
        return Number(statement().run(...values).lastInsertRowid);
      };
    },
  };
}

function onFirstUse(prepare: () => StatementSync): () => StatementSync {
  let prepared: StatementSync | undefined;
  return () => (prepared ??= prepare());
}
