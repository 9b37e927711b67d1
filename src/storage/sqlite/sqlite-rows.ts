import { existsSync, renameSync, rmSync } from "node:fs";
import { Fault } from "../../kernel/fault.ts";
import type { Value } from "../connection.ts";
import { selectAfter, selectLast, type StoreRows, type WritableStoreRows } from "../transfer/store-rows.ts";
import { openSqlite } from "./open.ts";

/** The rows of a store in a file, which this process owns until they are disposed. */
export function openSqliteRows(file: string, root: string, now: number): StoreRows {
  return rowsOf(file, root, now);
}

/** A new store in a file. It is written under another name, which an interrupted attempt leaves, and renamed at the end. */
export function openWritableSqliteRows(file: string, root: string, now: number): WritableStoreRows {
  if (existsSync(file)) {
    throw new Fault("file_unwritable", `There is a database ${file} already.`, { hint: "Move it away first." });
  }
  const unfinished = `${file}.transfer`;
  const rows = rowsOf(unfinished, root, now);
  return {
    ...rows,
    async insert({ name, columns }, list) {
      const marks = columns.map(() => "?").join(", ");
      await rows.driver.exclusive((db) => {
        const statement = db.prepare(`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${marks})`);
        db.exec("BEGIN IMMEDIATE");
        try {
          for (const row of list) statement.run(...row);
          db.exec("COMMIT");
        } catch (error) {
          db.exec("ROLLBACK");
          throw error;
        }
      });
    },
    async finish(storeId) {
      await rows.driver.exclusive((db) => db.prepare("UPDATE meta SET store_id = ?").run(storeId));
      await rows.driver.close();
      renameSync(unfinished, file);
      for (const end of [".commits", ".lock", "-wal", "-shm"]) rmSync(`${unfinished}${end}`, { force: true });
    },
  };
}

function rowsOf(file: string, root: string, now: number) {
  const { driver, id } = openSqlite({ kind: "file", file, root }, now);
  const lists = (sql: string, values: readonly Value[]): Promise<Value[][]> =>
    driver.exclusive((db) => {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      return statement.all(...values) as unknown as Value[][];
    });
  const rows: StoreRows = {
    storeId: id,
    after: (table, key, limit) => lists(selectAfter(table, key === null), [...(key ?? []), limit]),
    lastKey: async (table) => (await lists(selectLast(table), []))[0] ?? null,
    [Symbol.asyncDispose]: () => driver.close(),
  };
  return { ...rows, driver };
}
