import { existsSync, readdirSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ok } from "../../src/kernel/result.ts";
import type { Store } from "../../src/ports/store/store.ts";
import type { WriteConnection } from "../../src/storage/connection.ts";
import { toPostgres } from "../../src/storage/postgres/dialect.ts";
import { readPostgresMigrations } from "../../src/storage/postgres/migrate.ts";
import { openDatabase } from "../../src/storage/sqlite/connection.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { message, T0, write } from "../../src/testing/store-conformance/records.ts";
import { storeConformance } from "../../src/testing/store-conformance/suite.ts";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { openStoreAt } from "../support/postgres/postgres-store.ts";
import { startServer, type TestServer } from "../support/postgres/server.ts";
import { TEAM } from "../support/team/team.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose](), 60_000);

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

const schemaOf = (url: string): string => new URL(url).searchParams.get("schema") ?? "";
const send = (store: Store, id: string): Promise<number> =>
  write(store, async ({ messages, appendEvent }) => {
    const seq = await messages.append(message(id), `key ${id}`);
    await appendEvent({ type: "message.posted", space: "alice", message: id }, T0);
    return seq;
  });
const idsIn = (store: Store): Promise<string[]> =>
  store.read(async ({ messages }) => {
    const page = await messages.page({ space: message("any").space, after: 0, limit: 10_000 });
    return page.map(({ id }) => id);
  });

describe("the PostgreSQL store [store.conformance]", () => {
  it.each(storeConformance(() => openStoreAt(server.freshUrl())))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

describe("the statements and tables", () => {
  it("every statement of the tables is understood", async () => {
    const url = server.freshUrl();
    await using _store = await openStoreAt(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`SET search_path TO ${schemaOf(url)}`);
    const statements: string[] = [];
    const note = (sql: string) => {
      statements.push(sql);
      return () => undefined as never;
    };
    const connection: WriteConnection = {
      sizeStatement: "SELECT 1 AS bytes, 1 AS free",
      all: note,
      get: note,
      lists: note,
      run: note,
      write: note,
      insert: note,
      append: note,
      onUndo: () => {},
    };
    const folder = new URL("../../src/storage/tables/", import.meta.url);
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts")) continue;
      const module: Readonly<Record<string, unknown>> = await import(new URL(file, folder).href);
      for (const [name, part] of Object.entries(module)) {
        if (/(?:Reads|Writes|Appender)$/.test(name) && typeof part === "function") part(connection);
      }
    }
    expect(statements.length).toBeGreaterThan(150);
    const refused: string[] = [];
    for (const [number, sql] of statements.entries()) {
      await client
        .query(`PREPARE s${number} AS ${toPostgres(sql)}`)
        .catch((error: unknown) => refused.push(`${(error as Error).message}: ${sql}`));
    }
    await client.end();
    expect(refused.join("\n")).toBe("");
  });

  it("has the tables and columns that SQLite has", async () => {
    const url = server.freshUrl();
    await using _store = await openStoreAt(url);
    const rows = await query(
      url,
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = '${schemaOf(url)}' AND table_name <> 'writer' ORDER BY 1`,
    );
    const db = openDatabase(":memory:");
    migrate(db, { file: null, now: 0 });
    const columns = db
      .prepare(
        `SELECT m.name || '.' || c.name AS name FROM sqlite_master m, pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`,
      )
      .all();
    db.close();
    const names = (list: readonly Record<string, unknown>[]): string[] =>
      list.map(({ name }) => String(name)).toSorted();
    expect(names(rows)).toEqual(names(columns));
  });
});

describe("several daemons on one schema", () => {
  it("their transactions happen one after another, and each sees what was committed before", async () => {
    const url = server.freshUrl();
    await using first = await openStoreAt(url);
    await using second = await openStoreAt(url);
    await Promise.all(Array.from({ length: 300 }, (_, n) => send(n % 2 === 0 ? first : second, `msg_${n}`)));
    const { events } = await first.read((reads) => reads.events.after({ durable: 0, ephemeral: 0 }, 1_000));
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
    expect((await idsIn(second)).toSorted()).toEqual(Array.from({ length: 300 }, (_, n) => `msg_${n}`).toSorted());
    expect(second.id).toBe(first.id);
  });

  it("open at once and make the schema once", async () => {
    const url = server.freshUrl();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStoreAt(url)));
    expect(new Set(stores.map(({ id }) => id)).size).toBe(1);
    for (const store of stores) await store[Symbol.asyncDispose]();
    const applied = await query(url, `SELECT number FROM ${schemaOf(url)}.migration`);
    expect(applied.map(({ number }) => Number(number))).toEqual(readPostgresMigrations().map(({ number }) => number));
  });
});

describe("a server that goes away", () => {
  // Without the schemas of the other tests, so that it is back soon.
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  }, 60_000);
  afterAll(() => server[Symbol.asyncDispose](), 60_000);

  it.each(["restarts", "loses its power"])(
    "and %s: work waits for it and is done once",
    async (how) => {
      const url = server.freshUrl();
      await using store = await openStoreAt(url);
      await send(store, "before");
      const during: Promise<number>[] = [];
      const sending = (async () => {
        for (let n = 0; n < 60; n += 1) {
          during.push(send(store, `during_${n}`));
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (how === "restarts") await server.stop();
      else await server.kill();
      await server.start();
      await sending;
      await Promise.all(during);
      expect(await idsIn(store)).toEqual(["before", ...Array.from({ length: 60 }, (_, n) => `during_${n}`)]);
    },
    60_000,
  );
});

describe("what a person is told", () => {
  const fault = async (url: string): Promise<unknown> => {
    const opened = await openStoreAt(url).catch((error: unknown) => error);
    if (opened instanceof Error) return opened;
    await (opened as Store)[Symbol.asyncDispose]();
    return "opened";
  };

  it.each([
    ["a wrong password", (url: string) => url.replace(/:[^:@]+@/, ":secret-and-wrong@"), /refused the user "postgres"/],
    ["a wrong port", (url: string) => url.replace(/:\d+\//, ":1/"), /does not answer/],
    ["an unknown host", (url: string) => url.replace("127.0.0.1", "nowhere.invalid"), /does not answer/],
    ["an unknown database", (url: string) => url.replace("/team?", "/nothing?"), /There is no database "nothing"/],
    ["no URL", () => "http://127.0.0.1/", /cannot be read/],
    ["a schema that cannot be", (url: string) => `${url}-x`, /cannot be the name of a schema/],
  ])("of %s: what is wrong and what to do, without the password", async (_name, change, text) => {
    const error = await fault(change(server.freshUrl()));
    expect(error).toMatchObject({ name: "Fault", message: expect.stringMatching(text), hint: expect.any(String) });
    expect(JSON.stringify(error) + String(error)).not.toContain(server.password);
    expect(String(error)).not.toContain("secret-and-wrong");
  });

  it("of a schema that a newer program made, and of one that was made otherwise", async () => {
    const url = server.freshUrl();
    await (await openStoreAt(url))[Symbol.asyncDispose]();
    await query(url, `INSERT INTO ${schemaOf(url)}.migration VALUES (9999, 'later', 'x', 1)`);
    expect(await fault(url)).toMatchObject({ code: "database_newer", hint: expect.stringContaining("Update") });
    await query(url, `DELETE FROM ${schemaOf(url)}.migration WHERE number = 9999`);
    await query(url, `UPDATE ${schemaOf(url)}.migration SET checksum = 'x'`);
    expect(await fault(url)).toMatchObject({ code: "database_damaged" });
  });

  it("finds a second host when the first does not answer", async () => {
    const url = server.freshUrl().replace("@127.0.0.1:", "@127.0.0.1:1,127.0.0.1:");
    await using store = await openStoreAt(url);
    expect(await send(store, "msg_1")).toBe(1);
  });
});

it("a migration that is killed half-way leaves nothing, and the next opening finishes it", async () => {
  const url = server.freshUrl();
  const schema = schemaOf(url);
  const counts = [0];
  for (const { sql } of readPostgresMigrations()) {
    counts.push(Math.max(1, counts.at(-1) ?? 0) + sql.split("CREATE TABLE").length - 1);
  }
  for (let round = 0; round < 4; round += 1) {
    const opening = openStoreAt(url).then(
      (store) => store[Symbol.asyncDispose](),
      () => {},
    );
    await new Promise((resolve) => setTimeout(resolve, 30 + round * 25));
    await query(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'agent-worker %' AND pid <> pg_backend_pid()",
    );
    await opening;
    const [tables] = await query(
      url,
      `SELECT count(*) AS n FROM information_schema.tables WHERE table_schema = '${schema}' AND table_name <> 'writer'`,
    );
    expect(counts).toContain(Number(tables?.["n"]));
  }
  await using store = await openStoreAt(url);
  expect(await send(store, "msg_1")).toBe(1);
});

it("a transaction that a paused process left open ends by itself, and others go on", async () => {
  const url = server.freshUrl();
  await using store = await openStoreAt(url);
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  await client.query("SET idle_in_transaction_session_timeout = 500");
  await client.query("BEGIN");
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('agent-worker ${schemaOf(url)}', 0))`);
  expect(await send(store, "msg_1")).toBe(1);
  await client.end().catch(() => {});
});

it("work that must run only once is not repeated when the server goes away", async () => {
  const url = server.freshUrl();
  await using store = await openStoreAt(url);
  let runs = 0;
  const work = store.transact(
    async ({ messages }) => {
      runs += 1;
      await messages.append(message("msg_1"), null);
      await query(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'agent-worker %' AND state LIKE 'idle in%'",
      );
      await messages.append(message("msg_2"), null);
      return ok(undefined);
    },
    { once: true },
  );
  await expect(work).rejects.toMatchObject({ code: "database_unreachable" });
  expect(runs).toBe(1);
  expect(await send(store, "msg_3")).toBe(1);
});

describe("agent-worker store migrate", () => {
  it("moves a project to a server and back, row by row, and goes on where it was interrupted", async () => {
    const url = server.freshUrl();
    const env = { DATABASE_URL: url };
    await using daemon = await startCommandedDaemon({ files: TEAM });
    const run = (...args: string[]) => daemon.run(args, { env });
    for (const text of ["one", "two \ufdd0 \u{1f680}"]) {
      expect(await run("send", "alice", text, "--wait"), daemon.errors()).toMatchObject({ exit: 0 });
    }
    const said = async () => (await run("call", "peek-channel", '{"target":"alice"}')).out;
    const before = await said();
    expect(before).toContain("two");
    expect(await run("store", "migrate", "--to", "$DATABASE_URL")).toMatchObject({
      exit: 3,
      err: expect.stringContaining("has this project open"),
    });
    await daemon.stop();

    // Interrupted: its connection is ended while it copies.
    let ending: Promise<unknown> = Promise.resolve();
    const ended = setInterval(() => {
      ending = query(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'agent-worker-transfer'",
      ).catch(() => {});
    }, 20);
    const interrupted = await run("store", "migrate", "--to", "$DATABASE_URL");
    clearInterval(ended);
    await ending;
    expect(existsSync(`${daemon.project}/.workspace/agent-worker.db`)).toBe(interrupted.exit !== 0);
    if (interrupted.exit !== 0) {
      const moved = await run("store", "migrate", "--to", "$DATABASE_URL");
      expect(moved.err).toBe("");
      const setting = `store: { url: $DATABASE_URL, schema: ${schemaOf(env.DATABASE_URL)} }`;
      expect(moved).toMatchObject({ exit: 0, out: expect.stringContaining(setting) });
    }
    expect(existsSync(`${daemon.project}/.workspace/agent-worker.db.moved`)).toBe(true);

    daemon.write("moniro.yaml", "store: { url: $DATABASE_URL }\n");
    await using onServer = await daemon.restart({ env });
    expect(await run("doctor")).toMatchObject({ out: expect.stringMatching(/ok\s+database .*is sound: PostgreSQL/) });
    expect(await said()).toBe(before);
    expect(await run("send", "alice", "three", "--wait"), onServer.errors()).toMatchObject({ exit: 0 });
    const later = await said();
    expect(await run("store", "migrate", "--to", "sqlite")).toMatchObject({
      exit: 3,
      err: expect.stringContaining("A daemon uses this store"),
    });
    await onServer.stop();
    expect(await run("store", "migrate", "--to", "sqlite")).toMatchObject({ exit: 0 });
    expect(await run("store", "migrate", "--to", "sqlite")).toMatchObject({ exit: 1 });

    daemon.write("moniro.yaml", "store: {}\n");
    await using inFile = await daemon.restart({});
    expect(await said()).toBe(later);
    expect(inFile.errors()).toBe("");
  }, 120_000);
});

describe("a project with a store on a server", () => {
  it("is used like any other, and keeps nothing in its folder", async () => {
    const url = server.freshUrl();
    await using daemon = await startCommandedDaemon({
      files: { ...TEAM, "moniro.yaml": `store: { url: $DATABASE_URL, schema: ${schemaOf(url)} }\n` },
      env: { DATABASE_URL: url.replace(/\?.*/, "") },
    });
    expect(await daemon.run(["check"])).toMatchObject({ exit: 0 });
    const sent = await daemon.run(["send", "alice", "hello", "--wait"]);
    expect(sent, daemon.errors()).toMatchObject({ exit: 0 });
    expect(await query(url, `SELECT count(*) AS n FROM ${schemaOf(url)}.message`)).toMatchObject([{ n: "2" }]);
    expect(await daemon.run(["peek", "alice"])).toMatchObject({ exit: 0, out: expect.stringContaining("hello") });
    expect(existsSync(`${daemon.project}/.workspace/agent-worker.db`)).toBe(false);
    expect(daemon.errors()).not.toContain(server.password);
  }, 60_000);
});
