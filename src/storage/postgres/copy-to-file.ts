import { dirname } from "node:path";
import { openWritableSqliteRows } from "../sqlite/sqlite-rows.ts";
import { transferRows } from "../transfer/transfer-rows.ts";
import { openSnapshotRows } from "./postgres-rows.ts";
import type { ServerSettings } from "./server-settings.ts";

/** Writes one state of a store into a file of SQLite, while work goes on. It can be used as the store of a project. */
export async function copyToFile(settings: ServerSettings, file: string, now: number): Promise<void> {
  await using source = await openSnapshotRows(settings);
  await using target = openWritableSqliteRows(file, dirname(file), now);
  await transferRows(source, target, () => {});
}
