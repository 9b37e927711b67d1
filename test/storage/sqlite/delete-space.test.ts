import { describe, expect, it } from "vitest";
import { ok } from "../../../src/kernel/result.ts";
import type { Value } from "../../../src/storage/connection.ts";
import type { SqliteWriteConnection } from "../../../src/storage/sqlite/connection.ts";
import { deleteSpace } from "../../../src/storage/ephemeral/delete-space.ts";
import { openSqlite } from "../../../src/storage/sqlite/open.ts";
import { message, participant, T0, workspace, write } from "../../../src/testing/store-conformance/records.ts";
import { openMemoryStore } from "../../support/store/sqlite-store.ts";

/** What is kept for ever although it names a space, or something of it: each with its reason. */
const STAYS: Readonly<Record<string, string>> = {
  usage: "it was paid for",
  guard_use: "it was paid for",
  memory_question: "who asked about an agent's memory belongs to that agent",
  soul_proposal: "what was suggested for a soul belongs to that agent",
  prompt_part: "the next prompt of the day may have the same pieces",
  outside_heard: "what an agent has heard it may repeat elsewhere",
};
/** What belongs to no space. */
const PROJECTS = [
  "agent_stop",
  "conversation",
  "event",
  "memory_change",
  "memory_tidied",
  "memory_use",
  "meta",
  "migration",
  // They are about daemons, not about spaces.
  "node",
  // The context of an agent is the same in every space.
  "personal_file",
  "worktree_node",
  "schedule",
];
/** Columns by which a row belongs to a space, or to something in one. */
const BELONGS = ["space", "run", "message", "ballot", "root"];

const [GONE, KEPT] = ["@gone:main", "@kept:main"] as const;

interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly parents: readonly { readonly column: string; readonly table: string; readonly to: string }[];
}

function tablesOf(db: SqliteWriteConnection): readonly Table[] {
  const names = db.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")();
  return names.map((row) => {
    const name = text(row["name"]);
    const columns = db.all("SELECT name, type FROM pragma_table_info(?)")(name);
    const parents = db.all('SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)')(name);
    return {
      name,
      columns: columns.map((column) => ({ name: text(column["name"]), type: text(column["type"]) })),
      parents: parents.map((each) => ({
        column: text(each["from"]),
        table: text(each["table"]),
        to: text(each["to"]),
      })),
    };
  });
}

/** One row for the space in every table that can belong to one; each column says which space and what it is. */
function fill(db: SqliteWriteConnection, tables: readonly Table[], space: string): void {
  const done = new Map<string, Readonly<Record<string, Value>>>();
  const add = (table: Table): Readonly<Record<string, Value>> => {
    const before = done.get(table.name);
    if (before !== undefined) return before;
    const row: Record<string, Value> = {};
    for (const { name, type } of table.columns) {
      if (name === "seq") continue;
      const parent = table.parents.find(({ column }) => column === name);
      const other = tables.find((each) => each.name === parent?.table);
      if (parent !== undefined && other !== undefined) row[name] = add(other)[parent.to] ?? null;
      else row[name] = type === "TEXT" ? textFor(table.name, name, space) : 1;
    }
    const names = Object.keys(row);
    const marks = names.map(() => "?").join(", ");
    const seq = db.insert(`INSERT INTO ${table.name} (${names.join(", ")}) VALUES (${marks})`)(...Object.values(row));
    const whole = { ...row, seq };
    done.set(table.name, whole);
    return whole;
  };
  for (const table of tables) if (!PROJECTS.includes(table.name)) add(table);
}

function textFor(table: string, column: string, space: string): string {
  if (column === "space" || (table === "workspace" && column === "key")) return space;
  return `${column === "id" ? table : column} of ${space}`;
}

const text = (value: Value | undefined): string => (typeof value === "string" ? value : "");
const rowsOf = (db: SqliteWriteConnection, { name }: Table): number =>
  Number(db.get(`SELECT count(*) AS n FROM ${name}`)()?.["n"]);

describe("forgetting a space", () => {
  it("every table that can hold something of a space is emptied of it, or is kept for a reason", async () => {
    const { driver } = openSqlite({ kind: "memory" }, T0);
    const db = driver.writer;
    const tables = tablesOf(db);
    expect(tables.length).toBeGreaterThan(25);
    for (const { name, columns, parents } of tables) {
      if (!PROJECTS.includes(name)) continue;
      expect([...columns.map((each) => each.name).filter((each) => BELONGS.includes(each)), ...parents], name).toEqual(
        [],
      );
    }
    for (const space of [GONE, KEPT]) fill(db, tables, space);
    const filled = tables.filter(({ name }) => !PROJECTS.includes(name));
    expect(filled.filter((table) => rowsOf(db, table) !== 2).map(({ name }) => name)).toEqual([]);

    await driver.transact(async () => ok(await deleteSpace(db, GONE)));

    const left = Object.fromEntries(filled.map((table) => [table.name, rowsOf(db, table)]));
    expect(left).toEqual(Object.fromEntries(filled.map(({ name }) => [name, name in STAYS ? 2 : 1])));
    const rest = filled.filter(({ name }) => !(name in STAYS));
    for (const { name } of rest) {
      expect(JSON.stringify(db.all(`SELECT * FROM ${name}`)()), name).not.toContain(GONE);
    }
    await driver.close();
  });

  it("leaves nothing of it to read", async () => {
    await using store = openMemoryStore();
    for (const space of [GONE, KEPT]) {
      await write(store, async ({ workspaces, messages }) => {
        await workspaces.open(workspace(space, { provider: "memory" }));
        await workspaces.setParticipants(space, [participant(space, "alice")]);
        await messages.append(message(`msg of ${space}`, { space }), null);
      });
    }
    const look = (space: string) =>
      store.read(async ({ workspaces, messages }) => ({
        status: (await workspaces.status(space))?.state,
        participant: (await workspaces.participant(space, "alice"))?.agent,
        message: (await messages.byId(`msg of ${space}`))?.id,
        page: (await messages.page({ space, after: 0, limit: 9 })).length,
      }));
    const there = await look(GONE);
    expect(there).toEqual({ status: "open", participant: "alice", message: `msg of ${GONE}`, page: 1 });
    await store.retire(GONE);
    for (let n = 0; n < 20; n += 1) {
      const space = `@other-${n}:main`;
      await write(store, ({ workspaces }) => workspaces.open(workspace(space, { provider: "memory" })));
      await store.retire(space);
    }
    expect(await look(GONE)).toEqual({ status: undefined, participant: undefined, message: undefined, page: 0 });
    expect(await look(KEPT)).toMatchObject({ status: "open", page: 1 });
  });
});
