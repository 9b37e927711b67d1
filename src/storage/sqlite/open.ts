import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../kernel/fault.ts";
import { noCommitCounter, openCommitCounter } from "./commit-counter.ts";
import { openDatabase, SqliteDriver } from "./driver.ts";
import { migrate, refuseForeignDatabase, type MigrationReport } from "./migrate.ts";
import { holdOwnerLock } from "./owner-lock.ts";
import { sqliteFault } from "./sqlite-fault.ts";
import { refuseOldSqlite } from "./sqlite-version.ts";

/** Where a store lives. */
export type Placement = { readonly kind: "file"; readonly file: string } | { readonly kind: "memory" };

export interface OpenedDatabase {
  readonly driver: SqliteDriver;
  readonly migration: MigrationReport;
  /** Commits that were acknowledged and are not in the file any more: a damaged log. 0 = nothing was lost. */
  readonly lostCommits: number;
}

/** The first two keep what was acknowledged; the rest is room to work in. */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 5000;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16000;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA wal_autocheckpoint = 4000;
`;

export function openSqlite(placement: Placement, now: number): OpenedDatabase {
  try {
    return placement.kind === "memory" ? openInMemory(now) : openFile(placement.file, now);
  } catch (error) {
    throw sqliteFault(error);
  }
}

function openInMemory(now: number): OpenedDatabase {
  const db = openDatabase(":memory:");
  const migration = migrate(db, { file: null, now });
  return { driver: new SqliteDriver(db, db, noCommitCounter, undefined), migration, lostCommits: 0 };
}

function openFile(file: string, now: number): OpenedDatabase {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = holdOwnerLock(`${file}.lock`);
  if (lock === undefined) {
    throw new Fault("database_locked", "Another agent-worker process has this project open.", {
      hint: "Use that one, or stop it first.",
    });
  }
  const opened: { close(): void }[] = [lock];
  try {
    if (existsSync(file)) refuseForeignUntouched(file);
    const db = openDatabase(file);
    opened.push(db);
    refuseOldSqlite(String(db.prepare("SELECT sqlite_version() AS version").get()?.["version"]));
    db.exec(SETTINGS);
    const migration = migrate(db, { file, now });

    const counter = openCommitCounter(`${file}.commits`);
    opened.push(counter);
    const commits = Number(db.prepare("SELECT commits FROM meta").get()?.["commits"]);
    const lostCommits = Math.max(0, (counter.last ?? commits) - commits);
    counter.reset(commits);

    const readDb = openDatabase(file, { readOnly: true });
    opened.push(readDb);
    return { driver: new SqliteDriver(db, readDb, counter, lock), migration, lostCommits };
  } catch (error) {
    for (const part of opened.toReversed()) part.close();
    throw error;
  }
}

function refuseForeignUntouched(file: string): void {
  const db = openDatabase(file, { readOnly: true });
  try {
    refuseForeignDatabase(db);
  } finally {
    db.close();
  }
}
