import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ok } from "../../../src/kernel/result.ts";
import type { WriteConnection } from "../../../src/storage/connection.ts";
import { bindToSchema } from "../../../src/storage/ephemeral/schema.ts";
import { attachSchema } from "../../../src/storage/sqlite/attach-schema.ts";
import { openDatabase } from "../../../src/storage/sqlite/connection.ts";
import { openSqlite } from "../../../src/storage/sqlite/open.ts";
import { writeTables } from "../../../src/storage/tables.ts";
import { documentTable } from "../../../src/storage/tables/document.ts";
import { message, T0, workspace, write } from "../../../src/testing/store-conformance/records.ts";
import { openStoreFile } from "../../support/store/sqlite-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SPACE = "@scratch:main";

describe("workspaces in memory", () => {
  it("every statement bound to the schema in memory uses that schema and no other", async () => {
    const { driver } = openSqlite({ kind: "memory" }, T0);
    const schemas = await driver.exclusive((db) => {
      const tables = attachSchema(db);
      const statements: string[] = [];
      const bound = bindToSchema(recording(statements), { tables, durable: "main", ephemeral: "ephemeral" });
      writeTables(bound, "ephemeral");
      documentTable(bound, bound);
      expect(statements.length).toBeGreaterThan(100);
      const number = db.prepare("SELECT seq FROM pragma_database_list WHERE name = 'ephemeral'").get()?.["seq"];
      // The size of the file is asked of the durable schema only.
      const ofTables = statements.filter((sql) => !sql.includes("pragma_page_count"));
      const used = ofTables.flatMap((sql) => {
        const opened = db.prepare(`EXPLAIN ${sql}`).all();
        const transactions = opened.filter(({ opcode }) => opcode === "Transaction").map(({ p1 }) => p1);
        // The size of the file is not in a table, and nobody asks for it in memory.
        if (sql.includes("pragma_page_count")) return [];
        return transactions.length === 1 && transactions[0] === number ? [] : [sql];
      });
      return { number, used };
    });
    expect(schemas).toEqual({ number: 2, used: [] });
    await driver.close();
  });

  it("leave nothing in any file, and cost no flush", async () => {
    using folder = temporaryFolder();
    const file = folder.in("a.db");
    await using store = openStoreFile(file);
    const attached = workspace(SPACE, { provider: "memory" });
    await write(store, ({ workspaces }) => workspaces.open(attached));
    const commits = readFileSync(`${file}.commits`, "latin1");
    for (let n = 0; n < 20; n += 1) {
      await write(store, async ({ messages, appendEvent }) => {
        await messages.append(message(`msg_${n}`, { space: SPACE, body: "a secret of the team" }), null);
        await appendEvent({ type: "message.posted", space: SPACE, message: `msg_${n}` }, T0);
      });
    }
    expect(readFileSync(`${file}.commits`, "latin1")).toBe(commits);
    for (const part of ["", "-wal"].map((suffix) => file + suffix).filter(existsSync)) {
      expect(readFileSync(part, "latin1")).not.toContain("a secret of the team");
    }
    await store.backup(folder.in("copy.db"));
    const copy = openDatabase(folder.in("copy.db"), { readOnly: true });
    expect(copy.prepare("SELECT count(*) AS n FROM workspace").get()).toEqual({ n: 0 });
    copy.close();
    expect(await store.findDamage()).toEqual([]);
  });

  it("are not opened by work that must run only once", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    const opening = store.transact(
      async ({ workspaces }) => ok(await workspaces.open(workspace(SPACE, { provider: "memory" }))),
      { once: true },
    );
    await expect(opening).rejects.toThrow("no schema in memory");
  });

  it("several first ones at once are all opened", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    const keys = ["@a:main", "@b:main", "@c:main"];
    await Promise.all(
      keys.map((key) => write(store, ({ workspaces }) => workspaces.open(workspace(key, { provider: "memory" })))),
    );
    expect((await store.read(({ workspaces }) => workspaces.list())).map(({ key }) => key)).toEqual(keys);
  });
});

function recording(statements: string[]): WriteConnection {
  const record = (sql: string) => {
    statements.push(sql);
    return () => {
      throw new Error("not executed");
    };
  };
  return {
    sizeStatement: "SELECT 1 FROM pragma_page_count()",
    all: record,
    get: record,
    lists: record,
    run: record,
    write: record,
    insert: record,
    append: record,
    onUndo: () => {},
  };
}
