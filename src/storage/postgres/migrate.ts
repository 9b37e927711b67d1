import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Fault } from "../../kernel/fault.ts";
import type { MigrationReport } from "../../ports/store/store.ts";
import { readMigrations } from "../sqlite/read-migrations.ts";
import { toPostgresSchema } from "./dialect.ts";
import type { ServerSettings } from "./server-settings.ts";
import type { ServerConnection } from "./server-connection.ts";

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const FOLDER = new URL("./migrations/", import.meta.url);

/**
 * @internal
 * The numbers are those of SQLite, so one number means the same tables in both. The first file has everything up to its
 * number. After that a migration is that of SQLite, translated, unless this folder has one of that number.
 */
export function readPostgresMigrations(): Migration[] {
  const own = new Map(
    readdirSync(FOLDER).map((file) => [Number(file.slice(0, 4)), readFileSync(new URL(file, FOLDER), "utf8")] as const),
  );
  const first = Math.min(...own.keys());
  return readMigrations()
    .filter(({ number }) => number >= first)
    .map(({ number, name, sql, checksum }) => {
      const text = own.get(number);
      if (text === undefined) return { number, name, sql: toPostgresSchema(sql), checksum };
      return { number, name: number === first ? "initial" : name, sql: text, checksum: checksumOf(text) };
    });
}

function checksumOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

/**
 * Brings the schema of a project to its newest state. Each migration is one transaction under an advisory lock: several
 * nodes may start at once, and one that is killed leaves the state before or after a migration. Throws before anything
 * is written when a newer program made the schema, or when a migration is not the one it was made with.
 */
export async function migratePostgres(
  connection: ServerConnection,
  { schema }: ServerSettings,
  now: number,
  migrations: readonly Migration[] = readPostgresMigrations(),
): Promise<MigrationReport> {
  const before = await appliedMigrations(connection, schema);
  refuseForeign(before, migrations);
  const from = before.at(-1)?.number ?? 0;
  const to = migrations.at(-1)?.number ?? 0;
  if (from > 0 && migrations.some(({ number, sql }) => number > from && !onlyAdds(sql))) {
    await refuseWhileOthersWork(connection, schema);
  }
  for (const migration of migrations.filter(({ number }) => number > from)) {
    await connection.execute("BEGIN; SET LOCAL statement_timeout = 0");
    try {
      await connection.execute(`SELECT pg_advisory_xact_lock(hashtextextended('agent-worker:migration:${schema}', 0))`);
      await apply(connection, schema, migration, now);
      await connection.execute("COMMIT");
    } catch (error) {
      await connection.execute("ROLLBACK").catch(() => {});
      throw error;
    }
  }
  await makeWriterTable(connection, schema);
  return { from, to, backup: null };
}

/**
 * Says which group of transactions each writer committed last. It belongs to the driver and not to the schema: after a
 * connection was lost during a COMMIT, it says whether that happened.
 */
async function makeWriterTable(connection: ServerConnection, schema: string): Promise<void> {
  await connection.execute(
    `BEGIN;
     SELECT pg_advisory_xact_lock(hashtextextended('agent-worker:migration:${schema}', 0));
     CREATE TABLE IF NOT EXISTS "${schema}".writer (id TEXT PRIMARY KEY, last BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL);
     DELETE FROM "${schema}".writer WHERE at < now() - interval '1 day';
     COMMIT`,
  );
}

async function apply(connection: ServerConnection, schema: string, migration: Migration, now: number): Promise<void> {
  await connection.execute(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  await connection.execute(
    `CREATE TABLE IF NOT EXISTS "${schema}".migration (
       number BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)`,
  );
  // Another node may have been faster.
  const applied = await appliedMigrations(connection, schema);
  if (applied.some(({ number }) => number === migration.number)) return;
  await connection.execute(migration.sql);
  await connection.run(
    { text: `INSERT INTO "${schema}".migration (number, name, checksum, applied_at) VALUES ($1, $2, $3, $4)` },
    [migration.number, migration.name, migration.checksum, now],
  );
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

async function appliedMigrations(connection: ServerConnection, schema: string): Promise<AppliedMigration[]> {
  const [there] = await connection.execute(`SELECT to_regclass('"${schema}".migration') IS NOT NULL AS found`);
  if (there?.["found"] !== 1) return [];
  const rows = await connection.execute(`SELECT number, name, checksum FROM "${schema}".migration ORDER BY number`);
  return rows as unknown as AppliedMigration[];
}

const ADDS = /^(CREATE (TABLE|INDEX|UNIQUE INDEX)|ALTER TABLE \S+ ADD COLUMN) /;

/** Whether nodes that do not know the migration can go on after it: it takes nothing away, and moves nothing. */
function onlyAdds(sql: string): boolean {
  return sql
    .replace(/--[^\n]*/g, "")
    .split(";")
    .map((statement) => statement.trim().replace(/\s+/g, " "))
    .every((statement) => statement === "" || ADDS.test(`${statement} `));
}

async function refuseWhileOthersWork(connection: ServerConnection, schema: string): Promise<void> {
  const [there] = await connection.execute(`SELECT to_regclass('"${schema}".node') IS NOT NULL AS found`);
  if (there?.["found"] !== 1) return;
  const nodes = await connection.execute(
    `SELECT name, version FROM "${schema}".node
     WHERE left_at IS NULL AND beat_at + lease_ms > extract(epoch FROM clock_timestamp()) * 1000 ORDER BY name`,
  );
  if (nodes.length === 0) return;
  const names = nodes.map(({ name, version }) => `${name as string} (${version as string})`).join(", ");
  throw new Fault("database_locked", `This version changes tables that nodes at work use: ${names}.`, {
    hint: "Stop them first, with agent-worker daemon stop on each machine; then start this one, and update the others.",
  });
}

function refuseForeign(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const newest = applied.at(-1)?.number ?? 0;
  const supported = migrations.at(-1)?.number ?? 0;
  if (newest > supported) {
    throw new Fault(
      "database_newer",
      `The database was made by a newer agent-worker (schema ${newest}, this program knows ${supported}).`,
      { hint: "Update agent-worker on this machine, as on the others." },
    );
  }
  const changed = applied.find(
    ({ number, checksum }) => checksum !== migrations.find((each) => each.number === number)?.checksum,
  );
  if (changed === undefined) return;
  throw new Fault(
    "database_damaged",
    `Migration ${changed.number} (${changed.name}) is not the one this database was made with.`,
    { hint: "Use the release that made it, or restore a backup." },
  );
}
