import { existsSync } from "node:fs";
import { readCommitCount } from "./commit-counter.ts";
import { findDamage } from "./damage.ts";
import { openDatabase } from "./driver.ts";
import { refuseForeignDatabase } from "./migrate.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/** What can be said of a database without owning it. */
export interface Inspection {
  /** Every problem the storage engine found, in words; empty = sound. */
  readonly damage: readonly string[];
  /** Commits that were acknowledged and are not there any more. */
  readonly lostCommits: number;
}

/**
 * Looks at a database and changes nothing: on a read-only connection, which a log in use allows beside its owner.
 * Undefined when there is no database. Throws the Fault that keeps the program from using it.
 */
export function inspectDatabase(file: string): Inspection | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const db = openDatabase(file, { readOnly: true });
    try {
      refuseForeignDatabase(db);
      // Read before the database is: a commit of its owner in between then counts as none that is missing.
      const acknowledged = readCommitCount(`${file}.commits`) ?? 0;
      const kept = Number(db.prepare("SELECT commits FROM meta").get()?.["commits"] ?? acknowledged);
      return { damage: findDamage(db), lostCommits: Math.max(0, acknowledged - kept) };
    } finally {
      db.close();
    }
  } catch (error) {
    throw sqliteFault(error);
  }
}
