import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import type { WriteConnection } from "../../../src/storage/connection.ts";
import { connection as sqliteConnection, openDatabase } from "../../../src/storage/sqlite/connection.ts";
import { migrate } from "../../../src/storage/sqlite/migrate.ts";

const FOLDER = new URL("../../../src/storage/tables/", import.meta.url);

/** Statements are prepared at their first use: a mistake in one that is rarely used must not wait for that. */
it("holds no statement that SQLite does not understand", async () => {
  const db = openDatabase(":memory:");
  migrate(db, { file: null, now: 0 });
  let prepared = 0;
  const prepare = (sql: string) => {
    db.prepare(sql);
    // What PostgreSQL does not understand is found here already; the campaign `postgres` tries every statement there.
    expect(sql).not.toMatch(/\bINSERT OR\b|\biif\(|\bjson_\w+\(|\?\d* IS NULL OR/);
    prepared += 1;
    return () => undefined as never;
  };
  const { sizeStatement } = sqliteConnection(db);
  const connection: WriteConnection = {
    sizeStatement,
    all: prepare,
    get: prepare,
    lists: prepare,
    run: prepare,
    write: prepare,
    insert: prepare,
    append: prepare,
    onUndo: () => {},
  };
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".ts"))) {
    const module: Readonly<Record<string, unknown>> = await import(new URL(file, FOLDER).href);
    for (const [name, part] of Object.entries(module)) {
      if (/(?:Reads|Writes|Appender)$/.test(name) && typeof part === "function") part(connection);
    }
  }
  expect(prepared).toBeGreaterThan(100);
  db.close();
});
