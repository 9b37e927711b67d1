import { existsSync, lstatSync } from "node:fs";
import { objectionToFile } from "../../files/private-file.ts";
import { readCommitCount } from "./commit-counter.ts";
import { openDatabase } from "./connection.ts";
import { findDamage } from "./damage.ts";
import { refuseForeignDatabase } from "./migrate.ts";
import { checkDatabaseFiles } from "./private-database.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/** The state of a database, as seen without owning it. */
export interface Inspection {
  /** Every problem SQLite found, in words; empty = sound. */
  readonly damage: readonly string[];
  /** Commits that were acknowledged and are missing. */
  readonly lostCommits: number;
}

/**
 * Checks a database and changes nothing: it uses a read-only connection, which works beside the owner. Returns undefined
 * when there is no database. Throws the Fault that keeps the program from using it.
 */
export function inspectDatabase(file: string): Inspection | undefined {
  checkDatabaseFiles(file);
  if (!existsSync(file)) return undefined;
  try {
    const db = openDatabase(file, { readOnly: true });
    try {
      refuseForeignDatabase(db);
      // Read first: a commit of the owner in between then does not count as missing.
      const acknowledged = readCommitCount(`${file}.commits`) ?? 0;
      const stored = Number(db.prepare("SELECT commits FROM meta").get()?.["commits"] ?? acknowledged);
      return { damage: findDamage(db), lostCommits: Math.max(0, acknowledged - stored) };
    } finally {
      db.close();
    }
  } catch (error) {
    throw sqliteFault(error);
  }
}

/**
 * Returns the id of the store in a file, or null when it has none, because it is no store or an older program made it.
 * Undefined when there is no file. Changes nothing.
 */
export function readStoreId(file: string): string | null | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (objectionToFile(stats) !== undefined) return null;
  try {
    const db = openDatabase(file, { readOnly: true });
    try {
      const id = db.prepare("SELECT store_id FROM meta").get()?.["store_id"];
      return typeof id === "string" && id !== "" ? id : null;
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/**
 * Whether a store may have personal contexts or documents, seen beside its owner. False only when it certainly has none.
 * Changes nothing.
 */
export function mayHoldContexts(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const db = openDatabase(file, { readOnly: true });
    try {
      const held = db.prepare("SELECT EXISTS (SELECT 1 FROM personal_file) OR EXISTS (SELECT 1 FROM document) AS held");
      return held.get()?.["held"] !== 0;
    } finally {
      db.close();
    }
  } catch {
    return true;
  }
}
