import { existsSync } from "node:fs";
import { Fault } from "../../kernel/fault.ts";
import type { MigrationReport } from "../../ports/store/store.ts";
import type { Database } from "./connection.ts";
import { readMigrations, type Migration } from "./read-migrations.ts";
import { snapshot } from "./snapshot.ts";

interface MigrateOptions {
  /** Where the database is, for the copy beside it; null = in memory. */
  readonly file: string | null;
  readonly now: number;
  readonly migrations?: readonly Migration[];
}

/**
 * Brings a database to the newest schema. Migrations are numbered files, applied in order, each in a transaction with
 * the row that records it: after a crash the database is before or after a migration, never between. Throws before
 * anything is written when a file was changed after it was applied, or when a newer program made the database.
 */
export function migrate(db: Database, options: MigrateOptions): MigrationReport {
  const migrations = options.migrations ?? readMigrations();
  const applied = appliedMigrations(db);
  refuseForeign(applied, migrations);
  const from = applied.length;
  const pending = migrations.slice(from);
  if (pending.length === 0) return { from, to: from, backup: null };
  const backup = from > 0 && options.file !== null ? copyBeforeUpgrade(db, options.file, from) : null;
  for (const migration of pending) apply(db, migration, options.now);
  return { from, to: migrations.length, backup };
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/**
 * Throws when a newer program made the database, or one with other migrations. Call it on a read-only connection before
 * any other is opened, because not even the log of such a database may be replayed.
 */
export function refuseForeignDatabase(db: Database): void {
  refuseForeign(appliedMigrations(db), readMigrations());
}

function appliedMigrations(db: Database): AppliedMigration[] {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'").get();
  if (table === undefined) return [];
  return db
    .prepare("SELECT number, name, checksum FROM migration ORDER BY number")
    .all() as unknown as AppliedMigration[];
}

function refuseForeign(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const supported = migrations.length;
  const newest = applied.at(-1)?.number ?? 0;
  if (newest > supported) {
    throw new Fault(
      "database_newer",
      `The database was made by a newer agent-worker (schema ${newest}, this program knows ${supported}).`,
      { hint: "Update agent-worker, or restore the backup that was made before the upgrade." },
    );
  }
  const changed = applied.find(({ number, checksum }) => checksum !== migrations[number - 1]?.checksum);
  if (changed === undefined) return;
  throw new Fault(
    "database_damaged",
    `Migration ${changed.number} (${changed.name}) is not the one this database was made with.`,
    { hint: "Use the release that made it, or restore a backup." },
  );
}

function copyBeforeUpgrade(db: Database, file: string, version: number): string {
  let copy = `${file}.before-${version + 1}`;
  for (let n = 2; existsSync(copy); n += 1) copy = `${file}.before-${version + 1}-${n}`;
  snapshot(db, copy);
  return copy;
}

function apply(db: Database, migration: Migration, now: number): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec(
      `CREATE TABLE IF NOT EXISTS migration (
        number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
      ) STRICT`,
    );
    db.exec(migration.sql);
    db.prepare("INSERT INTO migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)").run(
      migration.number,
      migration.name,
      migration.checksum,
      now,
    );
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
