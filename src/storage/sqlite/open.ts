import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../kernel/fault.ts";
import type { MigrationReport, StoreOptions, StorePlacement } from "../../ports/store/store.ts";
import { noCommitCounter, openCommitCounter } from "./commit-counter.ts";
import { openDatabase, type Database } from "./connection.ts";
import { SqliteDriver } from "./driver.ts";
import { neverAbsent, watchFile, type FindAbsence } from "./file-presence.ts";
import { migrate, refuseForeignDatabase } from "./migrate.ts";
import { holdOwnerLock } from "./owner-lock.ts";
import { claimDatabase, makeDatabaseFolder } from "./private-database.ts";
import { sqliteFault } from "./sqlite-fault.ts";
import { refuseOldSqlite } from "./sqlite-version.ts";

interface OpenedDatabase {
  readonly driver: SqliteDriver;
  readonly migration: MigrationReport;
  readonly lostCommits: number;
  readonly id: string;
  readonly findAbsence: FindAbsence;
}

/** The commit with which the log reaches this many pages writes it back to the file. */
const LOG_PAGES = 4_000;
const LOG_BYTES = LOG_PAGES * 4_096;

/** A long log of a killed process is written back only after this many commits, so that work can start at once. */
const COMMITS_BEFORE_LONG_LOG = 100;

/** The first four protect acknowledged commits. On macOS a sync without the last two may end in the cache of the disk. */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON;
  PRAGMA busy_timeout = 5000;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16000;
  PRAGMA journal_size_limit = 67108864;
`;

export function openSqlite(placement: StorePlacement, now: number, options: StoreOptions = {}): OpenedDatabase {
  try {
    return placement.kind === "memory" ? openInMemory(now) : openFile(placement, now, options);
  } catch (error) {
    throw sqliteFault(error);
  }
}

function openInMemory(now: number): OpenedDatabase {
  const db = openDatabase(":memory:");
  const migration = migrate(db, { file: null, now });
  const parts = { db, readDb: db, counter: noCommitCounter, lock: undefined, findAbsence: neverAbsent };
  return { driver: new SqliteDriver(parts), migration, lostCommits: 0, id: storeId(db), findAbsence: neverAbsent };
}

function openFile(
  { file, root }: Extract<StorePlacement, { kind: "file" }>,
  now: number,
  options: StoreOptions,
): OpenedDatabase {
  if (root === undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  else makeDatabaseFolder(file, root);
  const lock = holdOwnerLock(`${file}.lock`);
  if (lock === undefined) {
    throw new Fault("database_locked", "Another agent-worker process has this project open.", {
      hint: "Use that one, or stop it first: agent-worker daemon stop",
    });
  }
  const opened: { close(): void }[] = [lock];
  try {
    const existed = claimDatabase(file);
    const oldLogBytes = sizeOf(`${file}-wal`);
    // Stays open until the writer is open, which then need not read the log from its beginning again.
    const checkedDb = existed ? openForCheck(file) : undefined;
    if (checkedDb !== undefined) opened.push(checkedDb);
    const db = openDatabase(file);
    opened.push(db);
    refuseOldSqlite(String(db.prepare("SELECT sqlite_version() AS version").get()?.["version"]));
    db.exec(SETTINGS);
    const setLogPages = (pages: number): void => db.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
    setLogPages(oldLogBytes > LOG_BYTES ? 0 : LOG_PAGES);
    const migration = migrate(db, { file, now });

    const counter = openCommitCounter(`${file}.commits`);
    opened.push(counter);
    const commits = Number(db.prepare("SELECT commits FROM meta").get()?.["commits"]);
    const lostCommits = Math.max(0, (counter.last ?? commits) - commits);
    counter.reset(commits);

    const readDb = openDatabase(file, { readOnly: true });
    opened.push(readDb);
    const findAbsence = watchFile(file);
    const driver = new SqliteDriver({ db, readDb, counter, lock, findAbsence, ...options });
    if (oldLogBytes > LOG_BYTES) afterCommits(driver, COMMITS_BEFORE_LONG_LOG, () => setLogPages(LOG_PAGES));
    checkedDb?.close();
    return { driver, migration, lostCommits, id: storeId(db), findAbsence };
  } catch (error) {
    for (const part of opened.toReversed()) part.close();
    throw error;
  }
}

function storeId(db: Database): string {
  return String(db.prepare("SELECT store_id FROM meta").get()?.["store_id"]);
}

function openForCheck(file: string): Database {
  const db = openDatabase(file, { readOnly: true });
  try {
    refuseForeignDatabase(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function afterCommits(driver: SqliteDriver, count: number, then: () => void): void {
  let left = count;
  driver.onCommit(() => {
    left -= 1;
    if (left === 0) then();
  });
}
