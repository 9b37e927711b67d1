import { copyFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openDatabase, type Database } from "../../../src/storage/sqlite/connection.ts";
import { migrate } from "../../../src/storage/sqlite/migrate.ts";
import { readMigrations } from "../../../src/storage/sqlite/read-migrations.ts";
import { message, write } from "../../../src/testing/store-conformance/records.ts";
import { spawnSupport } from "../../support/process/spawned.ts";
import { upgraded } from "../../support/store/second-migration.ts";
import { printedSeed } from "../../support/store/seed.ts";
import { openStoreFile } from "../../support/store/sqlite-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const ROWS = 20_000;
const KILLS = Number(process.env["KILLS"] ?? 8);

it("a killed migration leaves the old or the new state, and the next start finishes it [store.migration-kill]", async () => {
  const random = printedSeed("migration kill");
  using folder = temporaryFolder();
  const original = folder.in("original.db");
  {
    await using store = openStoreFile(original);
    await write(store, async ({ messages }) => {
      for (let n = 0; n < ROWS; n += 1) await messages.append(message(`msg_${n}`, { body: "x".repeat(300) }), null);
    });
  }
  const upgrade = async (file: string, killAfterMs?: number): Promise<number> => {
    copyFileSync(original, file);
    await using child = spawnSupport("migration-process.ts", [file]);
    await child.line("started");
    const started = performance.now();
    await (killAfterMs === undefined ? child.line("migrated") : Promise.race([sleep(killAfterMs), child.ended]));
    return performance.now() - started;
  };
  const duration = await upgrade(folder.in("whole.db"));

  const states: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const file = folder.in(`killed-${kill}.db`);
    await upgrade(file, random() * duration);
    const db = openDatabase(file);
    states.push(stateOf(db));
    migrate(db, { file, now: 0, migrations: upgraded });
    expect(stateOf(db)).toBe("new");
    db.close();
    const copies = readdirSync(folder.path).filter((name) => /^killed-\d+\.db\.before-\d+(-\d+)?$/.test(name));
    for (const copy of copies.filter((name) => name.startsWith(`killed-${kill}.`))) {
      const kept = openDatabase(folder.in(copy), { readOnly: true });
      expect(stateOf(kept)).toBe("old");
      kept.close();
    }
  }
  console.log(`migration kill: ${states.join(" ")}`);
}, 120_000);

/** Old or new; anything between fails here. */
function stateOf(db: Database): "old" | "new" {
  expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  const version = Number(db.prepare("SELECT max(number) AS n FROM migration").get()?.["n"]);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'tomorrow%'").all().length;
  const columns = db.prepare("SELECT 1 FROM pragma_table_info('message') WHERE name = 'words'").all().length;
  const { all, changed } =
    db.prepare("SELECT count(*) AS 'all', sum(body LIKE '%!') AS changed FROM message").get() ?? {};
  expect(all).toBe(ROWS);
  const known = readMigrations().length;
  const found = { version, tables, columns, changed };
  if (version === known) expect(found).toEqual({ version, tables: 0, columns: 0, changed: 0 });
  else expect(found).toEqual({ version: known + 1, tables: 2, columns: 1, changed: ROWS });
  return version === known ? "old" : "new";
}
