/** A value of a row or of a parameter. Truth is stored as 0 and 1. */
export type Value = null | number | bigint | string | NodeJS.ArrayBufferView;
export type Row = Record<string, Value>;

/** A driver answers at once or later. The tables await every answer before they send the next statement. */
export type Answer<T> = T | Promise<T>;

/**
 * What the tables need of a database. A statement is a function that is made once. Its text is written in what SQLite
 * and PostgreSQL have in common; `postgres/dialect.ts` lists what is translated. Two habits of SQLite matter to its
 * text: it prepares a statement again at every call when the value of a parameter may change the plan, after LIMIT and
 * where a column is compared as in the condition of a partial index; `+?` there prevents it, which is ten times faster.
 * And `+column` keeps it from using an index of that column. PostgreSQL learns the type of a parameter where it is first
 * used, so `x = ?1 OR ?1 IS NULL` has this order.
 */
export interface Connection {
  all(sql: string): (...values: Value[]) => Answer<Row[]>;
  get(sql: string): (...values: Value[]) => Answer<Row | undefined>;
  /** Rows as lists of values in the order of the columns: half the cost, for rows that are read in large numbers. */
  lists(sql: string): (...values: Value[]) => Answer<Value[][]>;
  /** Returns `bytes`, what the store occupies, and `free`, what of it is unused. */
  readonly sizeStatement: string;
}

export interface WriteConnection extends Connection {
  /** Returns the number of rows changed. */
  run(sql: string): (...values: Value[]) => Answer<number>;
  /**
   * As `run`, where nobody asks how many rows were changed. A server is not waited for, because each answer costs a round
   * trip while others wait for the lock: a statement that failed is reported by a later one, or by the commit.
   */
  write(sql: string): (...values: Value[]) => Answer<void>;
  /** Returns the `seq` of the inserted row. */
  insert(sql: string): (...values: Value[]) => Answer<number>;
  /** As `write`. The `seq` of the inserted row is told when it is known, which is before the commit is. */
  append(sql: string): (told: (seq: number) => void, ...values: Value[]) => Answer<void>;
  /** Calls the listener when something that was written is undone, for caches of what is stored. */
  onUndo(listener: () => void): void;
}
