/**
 * Writes the schema the migrations lead to into `src/storage/sqlite/schema.sql`, so that a reader sees the database as
 * it is now and a review sees what a migration changed. A test compares the file with the migrations.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../src/storage/sqlite/connection.ts";
import { migrate } from "../src/storage/sqlite/migrate.ts";
import { projectRoot } from "./run-command.ts";

export const schemaFile = join(projectRoot, "src/storage/sqlite/schema.sql");

export function schemaDump(): string {
  const db = openDatabase(":memory:");
  try {
    const { to } = migrate(db, { file: null, now: 0 });
    const parts = db
      .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type = 'index', name")
      .all()
      .map(({ sql }) => `${String(sql)};\n`);
    return `-- Made by \`node scripts/dump-schema.ts\` from migrations 1 to ${to}. Not read by the program.\n\n${parts.join("\n")}`;
  } finally {
    db.close();
  }
}

if (import.meta.main) writeFileSync(schemaFile, schemaDump());
