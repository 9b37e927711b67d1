import { Fault } from "../../kernel/fault.ts";
import type { Database } from "./connection.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/** Returns every problem SQLite finds, in words. A check that cannot be finished is a problem, not a failure. */
export function findDamage(db: Database): string[] {
  return [
    ...rowsOf(db, "integrity_check", (row) => String(row["integrity_check"])).filter((line) => line !== "ok"),
    ...rowsOf(db, "foreign_key_check", (row) => `A row of ${String(row["table"])} has no ${String(row["parent"])}.`),
  ];
}

function rowsOf(db: Database, check: string, describe: (row: Record<string, unknown>) => string): string[] {
  try {
    return db.prepare(`PRAGMA ${check}`).all().map(describe);
  } catch (error) {
    const fault = sqliteFault(error);
    if (fault instanceof Fault && fault.code === "database_damaged") return [`${check}: ${String(fault.cause)}`];
    throw error;
  }
}
