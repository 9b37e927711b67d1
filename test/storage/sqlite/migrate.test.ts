import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { schemaDump, schemaFile } from "../../../scripts/dump-schema.ts";
import { openDatabase, type Database } from "../../../src/storage/sqlite/connection.ts";
import { migrate } from "../../../src/storage/sqlite/migrate.ts";
import { readMigrations } from "../../../src/storage/sqlite/read-migrations.ts";
import { message, write } from "../../../src/testing/store-conformance/records.ts";
import { upgraded } from "../../support/store/second-migration.ts";
import { openStoreFile } from "../../support/store/sqlite-store.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

const KNOWN = readMigrations().length;

/** What definition files said once: not the user's own, and read from the files since. */
const COPIES_OF_FILES = /ALTER TABLE participant DROP COLUMN (is_ref|definition|prompt_append);/g;
/** Their rows are in other tables since. */
const MOVED = /DROP TABLE (run_prompt|prompt_text);/g;

/** Numbers and checksums; a new migration is added when it is released. */
const RELEASED = [
  "1 fd95169fbbbe",
  "2 3b8aa3729a71",
  "3 7236180f3e11",
  "4 abea68a36482",
  "5 524dfdb448da",
  "6 34e6b2e467f5",
  "7 24510fc63c29",
  "8 20b6ffdab059",
  "9 ceebe741241a",
  "10 ee6720a5e419",
  "11 20c26d23699f",
  "12 9cc9ec832b40",
  "13 946f9a04ddb2",
  "14 04aa9e119acd",
  "15 c5d90bbea998",
  "16 e38feb9c4f94",
  "17 e4c93a7e74db",
  "18 11b65c962a17",
  "19 b0af3f107fac",
  "20 f32ac87f1425",
  "21 6a89996feca8",
  "22 78544046474f",
  "23 d47c34216fa4",
  "24 f959a494feec",
  "25 82ab053a785e",
  "26 4a587492240b",
  "27 14db8005eaea",
  "28 7527daf45aab",
];

describe("migrations", () => {
  it("are numbered from one without gaps and lead to the committed schema [store.migrations]", () => {
    expect(readMigrations().map(({ number }) => number)).toEqual(readMigrations().map((_, index) => index + 1));
    expect(readFileSync(schemaFile, "utf8"), "run: node scripts/dump-schema.ts").toBe(schemaDump());
  });

  it("are never changed once they are out: a database that was made with another text is refused [store.migrations]", () => {
    const made = readMigrations().map(({ number, checksum }) => `${number} ${checksum.slice(0, 12)}`);
    expect(made, "write a new migration instead").toEqual(expect.arrayContaining(RELEASED));
  });

  it.each([["0002-late.sql"], ["0001.sql"], ["0001-Upper.sql"], ["readme.md"]])("stop at a stray file: %s", (name) => {
    using folder = temporaryFolder();
    writeFileSync(folder.in(name), "SELECT 1;");
    expect(() => readMigrations(pathToFileURL(`${folder.path}/`))).toThrow(name);
  });

  it("remove no rows of the user [store.migration-rows]", () => {
    for (const { name, sql } of readMigrations()) {
      expect(sql.replaceAll(COPIES_OF_FILES, "").replaceAll(MOVED, ""), name).not.toMatch(
        /\bDELETE\s+FROM\b|\bDROP\s+(TABLE|COLUMN)\b|\bREPLACE\s+INTO\b/i,
      );
    }
  });

  it("take over the prompts that earlier programs stored whole [store.migration-rows]", async () => {
    using folder = temporaryFolder();
    const db = openDatabase(folder.in("a.db"));
    migrate(db, { file: null, now: 0, migrations: readMigrations().slice(0, 27) });
    db.exec(`
      INSERT INTO run (id, mailbox, space, lane, state, holder, cause, started_at, agent)
        VALUES ('run_1', 'alice', 'alice', 0, 'ended', 'own_1', 'msg_1', 0, 'alice'),
          ('run_2', 'bob', 'bob', 0, 'ended', 'own_1', 'msg_2', 0, 'bob');
      INSERT INTO step (run, number, finished_at, transcript) VALUES ('run_1', 1, 0, '[]'), ('run_2', 1, 0, '["asked"]');
      INSERT INTO prompt_text (hash, content) VALUES ('s', 'You are alice.'), ('t', '[]');
      INSERT INTO run_prompt (run, system, tools, prompt) VALUES ('run_1', 's', 't', '["as it was'), ('run_2', 's', 't', NULL);
    `);
    db.close();
    await using store = openStoreFile(folder.in("a.db"));
    await store.read(async ({ history }) => {
      const given = { system: "You are alice.", tools: "[]" };
      expect(await history.prompt("run_1")).toEqual({ ...given, prompt: '["as it was', firstTranscript: "[]" });
      expect(await history.prompt("run_2")).toEqual({ ...given, prompt: null, firstTranscript: '["asked"]' });
    });
  });

  it("apply once: a second opening has nothing to do", async () => {
    using folder = temporaryFolder();
    for (const from of [0, KNOWN]) {
      await using store = openStoreFile(folder.in("a.db"));
      expect(store.migration).toEqual({ from, to: KNOWN, backup: null });
    }
  });

  it("keep a copy before an upgrade, and every row [store.migration-copy] [store.migration-rows]", async () => {
    using folder = temporaryFolder();
    const file = folder.in("a.db");
    await fillStore(file, 50);
    const db = openDatabase(file);
    const report = migrate(db, { file, now: 5, migrations: upgraded });
    expect(report).toEqual({ from: KNOWN, to: KNOWN + 1, backup: `${file}.before-${KNOWN + 1}` });
    expect(bodies(db)).toEqual(Array.from({ length: 50 }, (_, n) => `text of msg_${n}!`));
    expect(migrate(db, { file, now: 6, migrations: upgraded })).toEqual({
      from: KNOWN + 1,
      to: KNOWN + 1,
      backup: null,
    });
    db.close();

    await using copy = openStoreFile(report.backup ?? "");
    expect(copy.migration.from).toBe(KNOWN);
    expect(await copy.findDamage()).toEqual([]);
    const kept = await copy.read((reads) => reads.messages.page({ space: "@review:main", limit: 100 }));
    expect(kept.map(({ body }) => body)).toEqual(Array.from({ length: 50 }, (_, n) => `text of msg_${n}`));
  });

  it("hide the direct messages of ephemeral agents of earlier versions, and only those [ephemeral.forgotten]", async () => {
    using folder = temporaryFolder();
    const file = folder.in("a.db");
    const db = openDatabase(file);
    const before = readMigrations().filter(({ name }) => name !== "conversation-begin");
    migrate(db, { file, now: 1, migrations: before.slice(0, 6) });
    const event = db.prepare("INSERT INTO event (type, data, at) VALUES (?, ?, ?)");
    const say = db.prepare(
      `INSERT INTO message (id, space, sender, kind, body, mentions, root, depth, created_at)
       VALUES (?, ?, 'user', 'message', ?, '[]', 'root', 0, ?)`,
    );
    const deliver = db.prepare(
      "INSERT INTO delivery (id, message, space, mailbox, lane, enqueued_at) VALUES (?, ?, ?, ?, 1, 1)",
    );
    for (const [agent, at] of [
      ["eph", 10],
      ["kept", 10],
    ] as const) {
      event.run("agent.created", JSON.stringify({ agent, ephemeral: true }), at);
    }
    event.run("agent.created", JSON.stringify({ agent: "alice", ephemeral: false }), 10);
    event.run("agent.created", JSON.stringify({ agent: "kept", ephemeral: false }), 20);
    for (const agent of ["eph", "kept", "alice"]) {
      for (const at of [15, 25]) {
        const { lastInsertRowid } = say.run(`${agent} ${at}`, agent, `${agent} ${at}`, at);
        deliver.run(`del ${agent} ${at}`, lastInsertRowid, agent, agent);
      }
    }
    db.close();
    await using store = openStoreFile(file);
    const found = await store.read(async ({ messages, deliveries }) => ({
      messages: await Promise.all(
        ["eph", "kept", "alice"].map(async (space) => (await messages.page({ space, limit: 9 })).map(({ id }) => id)),
      ),
      dead: (await deliveries.dead({ limit: 9 })).map(({ delivery }) => delivery.id).toSorted(),
    }));
    expect(found).toEqual({
      messages: [[], ["kept 25"], ["alice 15", "alice 25"]],
      dead: ["del eph 15", "del eph 25"],
    });
  });

  it("give an agent one mailbox under every name, also in earlier instances, and keep roles [definitions.one-loop]", async () => {
    using folder = temporaryFolder();
    const file = folder.in("a.db");
    const db = openDatabase(file);
    const live = readMigrations().findIndex(({ name }) => name === "live-definitions");
    migrate(db, { file, now: 1, migrations: readMigrations().slice(0, live) });
    for (const [space, earlier] of [
      ["@review:main", 0],
      ["@review:main~1", 1],
    ] as const) {
      db.prepare(
        `INSERT INTO workspace (key, workflow, tag, state, provider, documents, channel, dir, document_file, channel_file,
           opened_at, instance, earlier)
         VALUES (?, 'review', 'main', 'closed', 'sqlite', 'sqlite', 1, 'd', 'n.md', 'c.md', 1, ?, ?)`,
      ).run(space, 2 - earlier, earlier);
      for (const [agent, isRef, name, role] of [
        ["reviewer", 0, "alice", "editor"],
        ["bob", 1, "bob", null],
        ["helper", 0, "helper", null],
      ] as const) {
        const mailbox = isRef === 1 ? agent : `${agent}@review:main`;
        db.prepare(
          `INSERT INTO participant (space, agent, position, is_ref, definition, role) VALUES (?, ?, 0, ?, ?, ?)`,
        ).run(space, agent, isRef, JSON.stringify({ name }), role);
        const { lastInsertRowid } = db
          .prepare(
            `INSERT INTO message (id, space, sender, kind, body, mentions, root, depth, created_at)
             VALUES (?, ?, 'user', 'message', 'hi', '[]', 'root', 0, 1)`,
          )
          .run(`msg ${agent} ${space}`, space);
        db.prepare(
          "INSERT INTO delivery (id, message, space, mailbox, lane, enqueued_at) VALUES (?, ?, ?, ?, 1, 1)",
        ).run(`dlv ${agent} ${space}`, lastInsertRowid, space, mailbox);
        db.prepare(
          `INSERT INTO run (id, mailbox, space, lane, state, holder, cause, started_at)
           VALUES (?, ?, ?, 1, 'parked', 'own', 'msg', 1)`,
        ).run(`run ${agent} ${space}`, mailbox, space);
      }
    }
    db.close();
    await using store = openStoreFile(file);
    for (const space of ["@review:main", "@review:main~1"]) {
      const found = await store.read(async ({ workspaces, deliveries, runs }) => ({
        participants: (await workspaces.participants(space)).map(({ agent, ref, role }) => [agent, ref, role]),
        delivered: (await deliveries.byIds(["reviewer", "bob", "helper"].map((agent) => `dlv ${agent} ${space}`))).map(
          ({ agent, mailbox }) => [agent, mailbox],
        ),
        run: await runs.byId(`run reviewer ${space}`),
      }));
      expect(found).toMatchObject({
        participants: expect.arrayContaining([
          ["reviewer", "alice", "editor"],
          ["bob", "bob", null],
          ["helper", null, null],
        ]),
        delivered: [
          ["reviewer", "alice"],
          ["bob", "bob"],
          ["helper", "helper@review:main"],
        ],
        run: { agent: "reviewer", mailbox: "alice", definition: null },
      });
    }
  });

  it("never write over an earlier copy, and leave no half of one", async () => {
    using folder = temporaryFolder();
    const file = folder.in("a.db");
    await fillStore(file, 1);
    const copy = `${file}.before-${KNOWN + 1}`;
    writeFileSync(copy, "the first copy");
    writeFileSync(`${copy}-2.partial`, "a copy that was killed");
    const db = openDatabase(file);
    expect(migrate(db, { file, now: 5, migrations: upgraded }).backup).toBe(`${copy}-2`);
    db.close();
    expect(readFileSync(copy, "utf8")).toBe("the first copy");
    expect(existsSync(`${copy}-2.partial`)).toBe(false);
  });

  it("leave everything as it was when one of them fails", async () => {
    using folder = temporaryFolder();
    const file = folder.in("a.db");
    await fillStore(file, 3);
    const db = openDatabase(file);
    const broken = { number: KNOWN + 1, name: "broken", sql: "DELETE FROM message; SELECT nonsense;", checksum: "x" };
    expect(() => migrate(db, { file, now: 5, migrations: [...readMigrations(), broken] })).toThrow("nonsense");
    expect(bodies(db)).toHaveLength(3);
    db.close();
    await using store = openStoreFile(file);
    expect(store.migration.to).toBe(KNOWN);
  });
});

describe("a database this program did not make", () => {
  it("is refused when it is newer, before any write, naming both versions [store.newer-refused]", async () => {
    using folder = temporaryFolder();
    const file = await liveCopy(folder, (db, original) => {
      migrate(db, { file: original, now: 5, migrations: upgraded });
    });
    expectUntouched(file, () =>
      expect(() => openStoreFile(file)).toThrow(
        expect.objectContaining({
          code: "database_newer",
          message: expect.stringMatching(new RegExp(`schema ${KNOWN + 1}\\b.*knows ${KNOWN}\\b`)),
          hint: expect.stringContaining("backup"),
        }),
      ),
    );
  });

  it("is refused when a migration it has was changed, before any write [store.migrations]", async () => {
    using folder = temporaryFolder();
    const file = await liveCopy(folder, (db) => {
      db.exec("UPDATE migration SET checksum = 'another' WHERE number = 1");
    });
    expectUntouched(file, () =>
      expect(() => openStoreFile(file)).toThrow(
        expect.objectContaining({ code: "database_damaged", message: expect.stringContaining("initial") }),
      ),
    );
  });
});

async function fillStore(file: string, messages: number): Promise<void> {
  await using store = openStoreFile(file);
  await write(store, async (writes) => {
    for (let n = 0; n < messages; n += 1) await writes.messages.append(message(`msg_${n}`), null);
  });
}

function bodies(db: Database): unknown[] {
  return db
    .prepare("SELECT body FROM message ORDER BY seq")
    .all()
    .map(({ body }) => body);
}

/** A database whose last changes are in its log only, as a killed program leaves it. */
async function liveCopy(folder: TemporaryFolder, change: (db: Database, file: string) => void): Promise<string> {
  const original = folder.in("original.db");
  const copy = folder.in("copy/a.db");
  await fillStore(original, 3);
  const db = openDatabase(original);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  change(db, original);
  mkdirSync(dirname(copy));
  for (const part of ["", "-wal"]) copyFileSync(original + part, copy + part);
  db.close();
  expect(readFileSync(`${copy}-wal`).length).toBeGreaterThan(0);
  return copy;
}

function expectUntouched(file: string, attempt: () => void): void {
  const contents = () => ["", "-wal"].map((part) => readFileSync(file + part).toString("latin1"));
  const before = contents();
  attempt();
  expect(contents().map((content, n) => content === before[n])).toEqual([true, true]);
  // The owner's lock and the shared index of the log hold nothing of the user's.
  const beside = readdirSync(dirname(file)).filter((name) => !/(\.lock|-shm)$/.test(name));
  expect(beside.toSorted()).toEqual(["a.db", "a.db-wal"]);
}
