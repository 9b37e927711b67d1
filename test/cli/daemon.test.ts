import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandFolder, type CommandFolder } from "../support/daemon/installed-command.ts";
import { startInstalled } from "../support/daemon/running-command.ts";
import { processGone } from "../support/process/process-gone.ts";
import { TEAM } from "../support/team/team.ts";

/** A project and a home without a daemon. Whatever daemon the test leaves is stopped when it ends. */
function homeFolder(): CommandFolder & AsyncDisposable & { readonly env: Readonly<Record<string, string>> } {
  const folder = commandFolder(TEAM);
  const env = { HOME: folder.path, AGENT_WORKER_HOME: folder.in("home"), AGENT_WORKER_PORT: "0" };
  const run: CommandFolder["run"] = (args, options = {}) =>
    folder.run(args, { ...options, env: { ...env, ...options.env } });
  return {
    ...folder,
    env,
    run,
    async [Symbol.asyncDispose]() {
      await run(["daemon", "stop"]);
      folder[Symbol.dispose]();
    },
  };
}

const pidOf = (folder: CommandFolder): number =>
  (JSON.parse(readFileSync(folder.in("home/daemon.json"), "utf8")) as { pid: number }).pid;

describe("the daemon", () => {
  it("[cli.daemon] ends when its home is removed: nobody could reach or stop it", { timeout: 60_000 }, async () => {
    await using folder = homeFolder();
    expect((await folder.run(["daemon", "start"])).exit).toBe(0);
    const pid = pidOf(folder);
    rmSync(folder.in("home"), { recursive: true });
    await expect.poll(() => processGone(pid), { timeout: 45_000 }).toBe(true);
  });

  it("[cli.daemon] [daemon.port] is started once, tells how it is, and is stopped", async () => {
    await using folder = homeFolder();
    expect(await folder.run(["daemon", "status"])).toEqual({
      exit: 4,
      out: expect.stringMatching(/^There is no daemon running: .*Start it with: agent-worker daemon start\n$/),
      err: "",
    });
    expect(JSON.parse((await folder.run(["status", "--json"])).out)).toEqual({
      running: false,
      reason: expect.stringContaining("There is no daemon"),
    });
    expect(await folder.run(["daemon", "stop"])).toEqual({ exit: 0, out: "The daemon does not run.\n", err: "" });
    expect(await folder.run(["stop", "--all", "--json"])).toMatchObject({ out: '{"stopped":false,"held":true}\n' });

    const started = await folder.run(["daemon", "start", "--json"]);
    expect(started).toMatchObject({ exit: 0, err: "" });
    const first = JSON.parse(started.out) as { url: string; pid: number; version: string; started: boolean };
    expect(first).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: pidOf(folder),
      version: expect.stringMatching(/^\d+\.\d+/),
      started: true,
    });
    expect(JSON.parse((await folder.run(["daemon", "start", "--json"])).out)).toEqual({ ...first, started: false });
    expect(await folder.run(["daemon", "start", "--port", "1"])).toMatchObject({
      exit: 3,
      err: expect.stringContaining("Stop it first: agent-worker daemon stop"),
    });

    await folder.run(["ls"]);
    expect(JSON.parse((await folder.run(["status", "--json"])).out)).toMatchObject({
      running: true,
      status: "ready",
      pid: first.pid,
      projects: [{ agents: 3, pending: 0, dead: 0 }],
    });
    expect((await folder.run(["daemon", "status"])).out).toMatch(
      /^The daemon is ready at http:\/\/127\.0\.0\.1:\d+: version \S+ \(\w{8}\), process \d+, up \d+ s, \d+ MB\.\n\nPROJECT +AGENTS +RUNNING +WAITING +INBOX +DEAD\n\S+ +3 +0 +0 +0 +0\n$/,
    );
    expect(await folder.run(["stop", "--all"])).toEqual({
      exit: 0,
      out: expect.stringContaining("The daemon has stopped, and everything stays stopped."),
      err: "",
    });
    expect(existsSync(folder.in("home/daemon.json"))).toBe(false);
  });

  it("[cli.auto-start] is started by the first command that needs it, and goes on with what was sent", async () => {
    await using folder = homeFolder();
    const sent = await folder.run(["send", "alice", "before there was a daemon", "--wait"]);
    expect(sent).toMatchObject({ exit: 0, err: "", out: expect.stringMatching(/^alice {2}/) });
    const pid = pidOf(folder);
    await folder.run(["ls"]);
    expect(pidOf(folder)).toBe(pid);
    await folder.run(["daemon", "stop"]);
    expect((await folder.run(["peek", "alice", "-n", "2"])).out).toContain("before there was a daemon");
    expect(pidOf(folder)).not.toBe(pid);
  });

  it("[cli.daemon] stays in the terminal when it is told to, and ends in order with Ctrl-C", async () => {
    await using folder = homeFolder();
    await using running = startInstalled(["daemon", "start", "--foreground", "--port", "0", "--host", "127.0.0.1"], {
      cwd: folder.path,
      env: folder.env,
    });
    const ready = await running.line(/^Ready at http:\/\/127\.0\.0\.1:\d+\. Ctrl-C stops it\.$/);
    expect(ready).toContain(`:${JSON.parse(readFileSync(folder.in("home/daemon.json"), "utf8")).port}.`);
    expect(await folder.run(["daemon", "start", "--foreground"])).toMatchObject({ exit: 3, out: "" });
    expect(await folder.run(["ls"])).toMatchObject({ exit: 0 });
    expect(await running.interrupt()).toMatchObject({ exit: 0, err: "" });
    expect(existsSync(folder.in("home/daemon.json"))).toBe(false);
  });

  it("[daemon.logs] shows its log, for people and as it is, and follows it", async () => {
    await using folder = homeFolder();
    expect(await folder.run(["daemon", "logs"])).toEqual({
      exit: 0,
      out: "",
      err: expect.stringMatching(/^There is no log at .*daemon\.log yet\.\n$/),
    });
    await folder.run(["daemon", "start"]);
    const { out } = await folder.run(["daemon", "logs", "-n", "100"]);
    expect(out).toMatch(/^\d{4}-\d\d-\d\dT\S+ info {2}ready .*url=http:\/\/127\.0\.0\.1:\d+/m);
    const lines = (await folder.run(["daemon", "logs", "--json"])).out.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toContain("ready");
    expect((await folder.run(["daemon", "logs", "-n", "1"])).out.split("\n")).toHaveLength(2);
    expect(await folder.run(["daemon", "logs", "-n", "x"])).toMatchObject({ exit: 2 });

    await using following = startInstalled(["daemon", "logs", "--follow", "-n", "1"], {
      cwd: folder.path,
      env: folder.env,
    });
    await following.line(/./);
    await folder.run(["daemon", "stop"]);
    await following.line(/ info {2}stopping/);
    expect(await following.interrupt()).toMatchObject({ exit: 130, err: "" });
  });

  it("[daemon.version-skew] of another version is used, and that is said on standard error", async () => {
    await using folder = homeFolder();
    await folder.run(["daemon", "start"]);
    const older = folder.in("older");
    const { cpSync, mkdirSync, symlinkSync } = await import("node:fs");
    const repository = join(import.meta.dirname, "../..");
    mkdirSync(older);
    for (const part of ["bin", "src"]) cpSync(join(repository, part), join(older, part), { recursive: true });
    symlinkSync(join(repository, "node_modules"), join(older, "node_modules"));
    writeFileSync(join(older, "package.json"), JSON.stringify({ type: "module", version: "0.0.1" }));
    const { exit, out, err } = await folder.run(["ls", "alice", "--json"], {
      command: join(older, "bin/agent-worker.js"),
    });
    expect({ exit, agents: JSON.parse(out) }).toMatchObject({ exit: 0, agents: { agents: [{ name: "alice" }] } });
    expect(err).toMatch(
      /^Note: the daemon is version \S+ \(\w{8}\), this command 0\.0\.1 \(\w{8}\)\. Restart it with: agent-worker daemon restart\n$/,
    );
  });

  it.each([
    { args: ["daemon"], says: "One of start, stop, restart, status, logs." },
    { args: ["daemon", "strat"], says: 'Did you mean "start"?' },
    { args: ["daemon", "start", "--port", "99999"], says: "--port is at most 65535." },
    { args: ["daemon", "start", "--port", "http"], says: "--port takes a whole number" },
    { args: ["daemon", "stop", "now"], says: "too many" },
    { args: ["status", "--watch"], says: "There is no option --watch." },
  ])("[cli.errors] refuses $args", async ({ args, says }) => {
    using folder = commandFolder();
    const env = { AGENT_WORKER_HOME: folder.in("home"), AGENT_WORKER_PORT: "0" };
    expect(await folder.run(args, { env })).toEqual({ exit: 2, out: "", err: expect.stringContaining(says) });
    expect(existsSync(folder.in("home"))).toBe(false);
  });
});
