import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startInstalled } from "../support/daemon/running-command.ts";
import { agentFile, TEAM } from "../support/team/team.ts";

/** Every kind of end, for a person and for a program. What each command refuses is in the tests of that command. */
let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: {
      ...TEAM,
      ...agentFile("gone", "model: gone.yaml\n"),
      ...agentFile("gone2", "model: gone.yaml\n"),
      "gone.yaml": "- steps:\n    - fail: permanent\n      message: The line is dead.\n",
      "broken.yaml": "name: broken\nagnets: {}\n",
    },
  });
});
afterAll(async () => daemon[Symbol.asyncDispose]());

const ENDS = [
  { exit: 0, what: "an answer", args: ["ls"] },
  { exit: 0, what: "a group that lists what it has", args: ["dead"] },
  { exit: 0, what: "a group that lists what it has, with an option", args: ["runs", "-n", "3"] },
  { exit: 0, what: "help", args: ["agent", "create", "--help"] },
  { exit: 1, what: "work that failed", args: ["run", "gone", "hello?"], json: ["run", "gone2", "hello?"] },
  { exit: 2, what: "a command that does not exist", args: ["sned"], code: "invalid" },
  { exit: 2, what: "a command of a group that does not exist", args: ["agent", "lst"], code: "invalid" },
  { exit: 2, what: "an option that does not exist", args: ["ls", "--nothing"], code: "invalid" },
  { exit: 2, what: "a missing word", args: ["send"], code: "invalid" },
  { exit: 2, what: "a file with mistakes", args: ["run", "broken.yaml"], code: "invalid" },
  { exit: 2, what: "a folder that is not there", args: ["ls", "--project", "nowhere"], code: "invalid" },
  { exit: 2, what: "input of another shape", args: ["call", "read-inbox", '{"limit":0}'], code: "invalid" },
  { exit: 3, what: "something nobody knows", args: ["send", "alcie", "x"], code: "not_found" },
  { exit: 3, what: "a workflow that is not running", args: ["send", "@review", "x"], code: "not_running" },
  { exit: 3, what: "a name that is taken", args: ["agent", "create", "alice", "-b", "mock"], code: "conflict" },
  {
    exit: 4,
    what: "a daemon that is not there",
    args: ["ls"],
    code: "daemon_unreachable",
    env: { AGENT_WORKER_URL: "http://127.0.0.1:9", AGENT_WORKER_TOKEN: "x".repeat(43) },
  },
];

describe("how a command ends", () => {
  // A project on a server is open to several processes.
  const isOnServer = process.env["AGENT_WORKER_TEST_SERVER"] !== undefined;
  it.skipIf(isOnServer)(
    "[cli.errors] [cli.exit-codes] names the command that stops the daemon which has the project open",
    async () => {
      await daemon.run(["send", "alice", "hello", "--wait"]);
      const moved = await daemon.run(["store", "migrate", "--to", "postgres://nobody@127.0.0.1:1/none"]);
      expect(moved).toMatchObject({ exit: 3, out: "" });
      expect(moved.err).toBe(
        "Error: Another agent-worker process has this project open.\nUse that one, or stop it first: agent-worker daemon stop\n",
      );
    },
  );

  it.each(ENDS)(
    "[cli.exit-codes] [cli.errors] with $exit: $what",
    async ({ exit, args, code, env = {}, json = args }) => {
      const said = await daemon.run(args, { env });
      expect(said.exit).toBe(exit);
      if (exit === 0) expect(said.err).toBe("");
      else expect(said.err).toMatch(/^Error: .+\n/);
      if (exit > 1) expect(said.out).toBe("");

      const told = await daemon.run([...json, "--json"], { env });
      expect(told).toMatchObject({ exit, err: "" });
      if (code !== undefined) {
        expect(JSON.parse(told.out)).toEqual({
          error: expect.objectContaining({ code, message: expect.stringMatching(/\S/) }),
        });
      }
    },
  );

  it("[cli.exit-codes] with 130 when it is interrupted", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      await using following = startInstalled(["peek", "alice", "--follow"], { cwd: daemon.project, env: daemon.env });
      await daemon.run(["send", "alice", `until ${signal}`]);
      await following.line(new RegExp(`until ${signal}`));
      expect(await following.interrupt(signal)).toMatchObject({ exit: 130 });
    }
  });

  it("[cli.help] takes common options before the command too", async () => {
    const { out } = await daemon.run(["--json", "--project", ".", "ls", "alice"]);
    expect(JSON.parse(out)).toMatchObject({ agents: [{ name: "alice" }] });
    expect((await daemon.run(["help", "agent", "todo"])).out).toContain("Usage: agent-worker agent todo NAME");
  });

  it("[cli.old-words] says what took the place of an old command", async () => {
    for (const [old, now] of [
      ["up", "start WORKFLOW"],
      ["down", "stop @WORKFLOW"],
      ["ps", "ls"],
    ]) {
      expect(await daemon.run([old ?? "", "x"])).toMatchObject({
        exit: 2,
        out: "",
        err: expect.stringContaining(`There is no command "${old}" any more.\nNow: agent-worker ${now}\n`),
      });
    }
  });
});

describe("the terminal", () => {
  const onTerminal = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const command = [process.execPath, join(import.meta.dirname, "../../bin/agent-worker.js"), ...args];
    const child = spawn("script", ["-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"], {
      cwd: daemon.project,
      env: { ...daemon.env, TERM: "xterm", ...env },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    await once(child, "close");
    return out;
  };

  it("[cli.no-color] has colours only where a person wants them", async () => {
    const escape = "\u001b[";
    expect(await onTerminal(["ls"])).toContain(escape);
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      const plain = await onTerminal(["ls"], env);
      expect(plain).toMatch(/^Agents\r?\nNAME +SOURCE/);
      expect(plain).not.toContain(escape);
    }
    expect((await daemon.run(["ls"])).out).not.toContain(escape);
  });

  it("[cli.errors] shows control characters of messages and does not obey them", async () => {
    await daemon.run(["send", "bob", "-"], { input: "\u001b[2J\u001b]0;owned\u0007\u202egnp" });
    const shown = await onTerminal(["peek", "bob", "-n", "5"]);
    expect(shown).toContain("\\x1b[2J\\x1b]0;owned\\x07\\u202egnp");
    expect(shown).not.toContain("\u001b[2J");
  });
});
