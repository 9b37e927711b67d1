import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../kernel/fault.ts";
import type { Value } from "../connection.ts";
import { listTables, type StoreRows, type WritableStoreRows, type TableSpec } from "./store-rows.ts";

export interface TransferResult {
  readonly tables: number;
  readonly rows: number;
  /** Rows that an earlier, interrupted attempt had copied already. */
  readonly resumed: number;
}

const BATCH = 200;

/**
 * Copies every row, then reads both stores again and compares them row by row. An attempt that was interrupted is
 * continued: rows are copied in the order of their keys, so the last key says how far it came. Throws a Fault when a row
 * differs.
 */
export async function transferRows(
  source: StoreRows,
  target: WritableStoreRows,
  onProgress: (text: string) => void,
): Promise<TransferResult> {
  const tables = listTables();
  let resumed = 0;
  for (const table of tables) {
    let key = await target.lastKey(table);
    if (key !== null) resumed += 1;
    for (;;) {
      const rows = await source.after(table, key, BATCH);
      if (rows.length === 0) break;
      await target.insert(table, rows);
      key = keyOf(table, rows.at(-1) ?? []);
      onProgress(`copying ${table.name}`);
    }
  }
  let rows = 0;
  for (const table of tables) {
    onProgress(`comparing ${table.name}`);
    rows += await compare(table, source, target);
  }
  await target.finish(source.storeId);
  return { tables: tables.length, rows, resumed };
}

async function compare(table: TableSpec, source: StoreRows, target: StoreRows): Promise<number> {
  let count = 0;
  for (let key: readonly Value[] | null = null; ;) {
    const [expected, found]: [Value[][], Value[][]] = await Promise.all([
      source.after(table, key, BATCH),
      target.after(table, key, BATCH),
    ]);
    const different = expected.findIndex((row, index) => !isDeepStrictEqual([...row], [...(found[index] ?? [])]));
    if (different !== -1 || found.length !== expected.length) {
      const row = expected[different] ?? found[expected.length] ?? [];
      throw new Fault("database_damaged", `A row of ${table.name} differs: ${JSON.stringify(keyOf(table, row))}.`, {
        hint: "The store is as it was. Remove the copy and begin again.",
      });
    }
    count += expected.length;
    if (expected.length < BATCH) return count;
    key = keyOf(table, expected.at(-1) ?? []);
  }
}

function keyOf({ columns, key }: TableSpec, row: readonly Value[]): Value[] {
  return key.map((column) => row[columns.indexOf(column)] ?? null);
}
