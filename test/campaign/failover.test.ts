import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { makeCertificates, type Certificates } from "../support/postgres/certificates.ts";
import { serverAccount, startServer, type TestServer } from "../support/postgres/server.ts";
import { eventually } from "../support/team/running-project.ts";
import { agentFile } from "../support/team/team.ts";
import { temporaryFolder, type TemporaryFolder } from "../support/temporary-folder.ts";

const node = (url: string, name: string): Promise<CommandedDaemon> =>
  startCommandedDaemon({
    files: { ...agentFile("alice"), "moniro.yaml": "store: { url: $DATABASE_URL, schema: team }\n" },
    env: { DATABASE_URL: url, AGENT_WORKER_NODE: name },
  });

describe("[store.failover] a primary that fails over", () => {
  it("the standby is promoted, and the daemons go on with it by themselves", async () => {
    await using primary = await startServer();
    await primary.stop();
    await using standby = await startServer({ copyOf: primary, standbyOf: primary });
    await primary.start({ synchronous_standby_names: "*" });
    const isReplicated = async () =>
      (await primary.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0;
    await eventually("the standby follows", isReplicated, 30_000);

    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
    const url = `postgres://postgres:${primary.password}@${hosts}/team?target_session_attrs=read-write`;
    await using left = await node(url, "left");
    await using right = await node(url, "right");
    expect(await left.run(["send", "alice", "before", "--wait"]), left.errors()).toMatchObject({ exit: 0 });
    expect(await right.run(["ls"])).toMatchObject({ exit: 0 });

    const killed = performance.now();
    await primary.kill();
    const during = left.run(["send", "alice", "during", "--wait"]);
    await standby.query("SELECT pg_promote(true)");
    await standby.query("ALTER SYSTEM SET synchronous_standby_names = ''");
    await standby.query("SELECT pg_reload_conf()");
    expect(await during, left.errors()).toMatchObject({ exit: 0 });
    const seconds = ((performance.now() - killed) / 1000).toFixed(1);
    expect(await right.run(["send", "alice", "after", "--wait"]), right.errors()).toMatchObject({ exit: 0 });
    const { out } = await right.run(["peek", "alice"]);
    for (const text of ["before", "during", "after"]) expect(out).toContain(text);
    expect((await left.run(["status"])).out).toContain("is ready");
    console.log(`failover: a message that was sent while the standby was promoted was answered after ${seconds} s`);
  }, 120_000);

  it("says that no server accepts writes while none is promoted, and goes on when one is", async () => {
    await using primary = await startServer();
    await primary.stop();
    await using standby = await startServer({ copyOf: primary, standbyOf: primary });
    const url = `postgres://postgres:${primary.password}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/team`;
    await using left = await node(url, "left");
    const refused = await left.run(["ls"]);
    expect(refused.exit).not.toBe(0);
    expect(refused.err).toMatch(/None of the servers accepts writes|does not answer/);
    expect(refused.err).not.toContain(primary.password);
    await standby.query("SELECT pg_promote(true)");
    // Nobody asks it to.
    const hasJoined = async () => (await standby.query("SELECT name FROM team.node").catch(() => [])).length === 1;
    await eventually("it joins by itself", hasJoined, 30_000);
    expect(await left.run(["send", "alice", "hello", "--wait"]), left.errors()).toMatchObject({ exit: 0 });
  }, 120_000);
});

describe("[store.tls] sslmode", () => {
  let folder: TemporaryFolder;
  let files: Certificates;
  let other: Certificates;
  let server: TestServer;
  beforeAll(async () => {
    folder = temporaryFolder();
    chmodSync(folder.path, 0o755);
    const second = temporaryFolder();
    files = makeCertificates(folder.path, serverAccount());
    other = makeCertificates(second.path, serverAccount());
    server = await startServer({
      settings: { ssl: "on", ssl_cert_file: files.certificate, ssl_key_file: files.key },
    });
    // Nobody gets in without encryption.
    const rules = join(server.folder, "data/pg_hba.conf");
    writeFileSync(rules, readFileSync(rules, "utf8").replace(/^host\s/gm, "hostssl "));
    await server.query("SELECT pg_reload_conf()");
  }, 60_000);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const ask = async (host: string, parameters: string) => {
    const url = `postgres://postgres:${server.password}@${host}:${server.port}/team${parameters}`;
    await using daemon = await node(url, "left");
    const answer = await daemon.run(["doctor"]);
    const text = answer.out + answer.err + daemon.errors();
    expect(text).not.toContain(server.password);
    return { ...answer, text };
  };

  it.each([
    ["require", "127.0.0.1", () => "?sslmode=require"],
    ["verify-ca", "127.0.0.1", () => `?sslmode=verify-ca&sslrootcert=${files.authority}`],
    ["verify-full", "localhost", () => `?sslmode=verify-full&sslrootcert=${files.authority}`],
  ])("%s at %s is encrypted", async (_mode, host, parameters) => {
    const { text } = await ask(host, parameters());
    expect(text).toMatch(/PostgreSQL 18.*encrypted/);
  });

  it.each([
    ["disable", "127.0.0.1", () => "?sslmode=disable", /wants an encrypted connection.*sslmode=require/s],
    [
      "a wrong authority",
      "localhost",
      () => `?sslmode=verify-full&sslrootcert=${other.authority}`,
      /certificate of the database server is not trusted/,
    ],
    [
      "a wrong authority",
      "localhost",
      () => `?sslmode=verify-ca&sslrootcert=${other.authority}`,
      /certificate of the database server is not trusted/,
    ],
    [
      "no authority",
      "localhost",
      () => "?sslmode=verify-full",
      /certificate of the database server is not trusted.*sslrootcert/s,
    ],
    [
      "another name",
      "127.0.0.1",
      () => `?sslmode=verify-full&sslrootcert=${files.authority}`,
      /certificate.*not for 127\.0\.0\.1/s,
    ],
    [
      "a file that is not there",
      "localhost",
      () => "?sslmode=verify-full&sslrootcert=/nowhere/ca.crt",
      /\/nowhere\/ca\.crt cannot be read/,
    ],
    ["a word that is none", "localhost", () => "?sslmode=sometimes", /"sometimes" is no sslmode/],
  ])("%s at %s is refused, with what to do", async (_name, host, parameters, expected) => {
    const { text, exit } = await ask(host, parameters());
    expect(text).toMatch(expected);
    expect(exit).not.toBe(0);
  });

  it("a server without encryption is refused where encryption is demanded", async () => {
    await using plain = await startServer();
    await using daemon = await node(`${plain.urlOf("team").replace(/\?.*/, "")}?sslmode=require`, "left");
    const { out, err } = await daemon.run(["doctor"]);
    expect(out + err).toContain("does not encrypt");
    expect(out + err).not.toContain(plain.password);
  });
});
