import { join } from "node:path";
import { openDatabase } from "../../../src/storage/sqlite/connection.ts";

/** How many rows the database file of a project holds, whatever is in memory. */
export function rowsOnDisk(projectDir: string, table: "message" | "workspace"): number {
  const db = openDatabase(join(projectDir, ".workspace/agent-worker.db"), { readOnly: true });
  try {
    return Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  } finally {
    db.close();
  }
}
