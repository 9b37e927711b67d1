import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedNode } from "../support/cluster/installed-node.ts";
import { startServer, type TestServer } from "../support/postgres/server.ts";
import { secondBuild, type SecondBuild } from "../support/process/second-build.ts";
import { slowLine } from "../support/postgres/slow-line.ts";
import { eventually } from "../support/team/running-project.ts";
import { agentFile } from "../support/team/team.ts";

const ADDS = "ALTER TABLE run ADD COLUMN later TEXT;\nCREATE TABLE later (id TEXT PRIMARY KEY) STRICT;\n";

/** A later build, with one migration more. */
function laterBuild(sql = ADDS): SecondBuild & { readonly schema: number } {
  const build = secondBuild("1ater0ne");
  const folder = build.in("src/storage/sqlite/migrations");
  const schema = readdirSync(folder).length + 1;
  const file = `${String(schema).padStart(4, "0")}-later.sql`;
  writeFileSync(`${folder}/${file}`, sql);
  return { ...build, schema };
}

describe("[node.upgrade] nodes are upgraded one after the other", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  }, 60_000);
  afterAll(() => server[Symbol.asyncDispose]());

  it("two builds work side by side on one schema; after a migration old nodes go on, and one that is restarted is refused", async () => {
    using other = secondBuild("0ther0ne");
    using later = laterBuild();
    const files = agentFile("alice");
    await using left = installedNode(server, "left", files);
    await using right = installedNode(server, "right", files);
    expect(await left.type(["daemon", "start"])).toMatchObject({ exit: 0 });
    expect(await left.type(["send", "alice", "one", "--wait"])).toMatchObject({ exit: 0 });

    // Another build that knows the same schema.
    expect(await right.type(["daemon", "start"], { command: other.command })).toMatchObject({ exit: 0 });
    expect(await right.type(["send", "alice", "two", "--wait"], { command: other.command })).toMatchObject({ exit: 0 });
    const listed = await left.type(["ls"]);
    expect(listed.out).toMatch(/left \(here\)/);
    expect(listed.out).toContain("right");

    // The right one is upgraded: it migrates, and the left one goes on.
    expect(await right.type(["daemon", "stop"], { command: other.command })).toMatchObject({ exit: 0 });
    expect(await right.type(["daemon", "start"], { command: later.command })).toMatchObject({ exit: 0 });
    expect(await right.type(["send", "alice", "three", "--wait"], { command: later.command })).toMatchObject({
      exit: 0,
    });
    expect(await server.query("SELECT max(number)::int AS n FROM team.migration")).toEqual([{ n: later.schema }]);
    expect(await left.type(["send", "alice", "four", "--wait"])).toMatchObject({ exit: 0 });

    // The old program does not start again on it, and says what to do.
    await left.type(["daemon", "stop"]);
    const refused = await left.type(["ls"]);
    expect(refused.exit).not.toBe(0);
    expect(refused.err).toContain(`schema ${later.schema}, this program knows ${later.schema - 1}`);
    expect(refused.err).toContain("Update agent-worker on this machine");
    const doctor = await left.type(["doctor"]);
    expect(doctor.out + doctor.err).toContain(`schema ${later.schema}, this program knows ${later.schema - 1}`);
    expect(await right.type(["send", "alice", "five", "--wait"], { command: later.command })).toMatchObject({
      exit: 0,
    });

    // Upgraded, it has its place again.
    await left.type(["daemon", "stop"]);
    expect(await left.type(["daemon", "start"], { command: later.command })).toMatchObject({ exit: 0 });
    const said = await left.type(["peek", "alice"], { command: later.command });
    for (const text of ["one", "two", "three", "four", "five"]) expect(said.out).toContain(text);
    await left.type(["daemon", "stop"], { command: later.command });
    await right.type(["daemon", "stop"], { command: later.command });
  }, 180_000);
});

it("[node.upgrade] a version that takes something away waits until the nodes of the old one have stopped", async () => {
  await using server = await startServer();
  using later = laterBuild("DROP TABLE read_mark;\n");
  await using left = installedNode(server, "left", agentFile("alice"));
  await using right = installedNode(server, "right", agentFile("alice"));
  expect(await left.type(["send", "alice", "one", "--wait"])).toMatchObject({ exit: 0 });
  const refused = await right.type(["ls"], { command: later.command });
  expect(refused.exit).not.toBe(0);
  expect(refused.err).toMatch(/changes tables that nodes at work use: left \(.*Stop them first/s);
  expect(await left.type(["send", "alice", "two", "--wait"])).toMatchObject({ exit: 0 });
  await left.type(["daemon", "stop"]);
  expect(await right.type(["peek", "alice"], { command: later.command })).toMatchObject({
    exit: 0,
    out: expect.stringContaining("two"),
  });
  await right.type(["daemon", "stop"], { command: later.command });
}, 120_000);

describe("[store.doctor] doctor looks at the server", () => {
  const doctor = async (server: TestServer, port = server.port): Promise<string> => {
    await using machine = installedNode(server, "left", agentFile("alice"));
    const env = { DATABASE_URL: `postgres://postgres:${server.password}@127.0.0.1:${port}/team` };
    const { out, err } = await machine.type(["doctor"], { env });
    expect(out + err).not.toContain(server.password);
    return out + err;
  };

  it("says the version and the time of a round trip, and what is wrong with the settings", async () => {
    await using server = await startServer();
    expect(await doctor(server)).toMatch(/ok\s+database .*PostgreSQL 18\.\d+, \d+\.\d ms/);
    for (const setting of ["fsync", "synchronous_commit", "full_page_writes"]) {
      await server.stop();
      await server.start({ [setting]: "off" });
      expect(await doctor(server)).toMatch(
        new RegExp(`problem\\s+database\\s+${setting} is off: a crash of the server loses`),
      );
    }
    await server.stop();
    await server.start({ max_connections: "12", superuser_reserved_connections: "2" });
    expect(await doctor(server)).toMatch(/warning\s+database\s+the server has \d connections left/);
    await server.stop();
    await server.start({});
    await using line = await slowLine(server.port, 5);
    expect(await doctor(server, line.port)).toMatch(/warning\s+database\s+a round trip to the server takes \d+\.\d ms/);
  }, 120_000);

  it("says who waits for a lock, and which tables are full of dead rows", async () => {
    await using server = await startServer({ settings: { autovacuum: "off" } });
    await using machine = installedNode(server, "left", agentFile("alice"));
    expect(await machine.type(["send", "alice", "hello", "--wait"])).toMatchObject({ exit: 0 });
    await server.query(`INSERT INTO team.writer SELECT 'w' || n, 1, now() FROM generate_series(1, 20000) AS n;
      DELETE FROM team.writer WHERE id LIKE 'w%'; SELECT pg_stat_force_next_flush()`);
    await using holder = await server.session();
    await holder.query("BEGIN; LOCK TABLE team.message");
    const sent = machine.type(["send", "alice", "again"]);
    await eventually("somebody waits", async () => (await server.query(WAITING)).length > 0, 30_000);
    const { out } = await machine.type(["doctor"]);
    expect(out).toMatch(/warning\s+database\s+agent-worker team left \(session \d+\) has waited \d+ s for/);
    expect(out).toMatch(/warning\s+database\s+most rows of writer are dead/);
    await holder.query("ROLLBACK");
    expect(await sent).toMatchObject({ exit: 0 });
  }, 120_000);

  const WAITING =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND now() - query_start > interval '3 seconds'";
});

const programs = findServerPrograms();
if (programs === undefined) console.log("upgrade: backup is skipped, because no server with pg_dump is installed");

describe.skipIf(programs === undefined)("[store.backup-server] backup of the server", () => {
  it("a dump of the schema is restored into an empty database, and the daemons go on with it", async () => {
    if (programs === undefined) return;
    await using server = await startServer({ programs });
    const url = `postgres://postgres:${server.password}@127.0.0.1:${server.port}`;
    const tool = (name: string, ...args: string[]): void => {
      const { status, stderr } = spawnSync(join(programs, name), args, { encoding: "utf8" });
      expect(`${status} ${stderr}`).toBe("0 ");
    };
    await using machine = installedNode(server, "left", agentFile("alice"));
    expect(await machine.type(["send", "alice", "hello", "--wait"])).toMatchObject({ exit: 0 });
    const before = (await machine.type(["peek", "alice"])).out;
    // While the daemon works.
    tool("pg_dump", "--format=custom", "--schema=team", `--file=${server.folder}/team.dump`, `${url}/team`);
    await machine.type(["daemon", "stop"]);
    await server.query("DROP SCHEMA team CASCADE");
    tool("pg_restore", "--exit-on-error", `--dbname=${url}/team`, `${server.folder}/team.dump`);
    expect((await machine.type(["peek", "alice"])).out).toBe(before);
    expect(await machine.type(["send", "alice", "again", "--wait"])).toMatchObject({ exit: 0 });
    expect((await machine.type(["doctor"])).out).toMatch(/ok\s+database .*is sound/);
  }, 120_000);
});

/** The folder of an installed server that has the tools for backups, too. */
function findServerPrograms(): string | undefined {
  const root = "/usr/lib/postgresql";
  const folders = existsSync(root) ? readdirSync(root).map((version) => join(root, version, "bin")) : [];
  return folders.findLast((bin) =>
    ["postgres", "initdb", "pg_dump", "pg_restore"].every((each) => existsSync(join(bin, each))),
  );
}
