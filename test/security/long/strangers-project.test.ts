import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { runInstalled, type Answer } from "../../support/daemon/installed-command.ts";
import { startStranger, type Stranger } from "../../support/daemon/stranger.ts";
import { refused, value } from "../../support/result.ts";
import { attack } from "../../support/security/attack.ts";
import { contentOf, hostileFiles, traces, writeFiles } from "../../support/security/hostile-project.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

const SECRETS = {
  ANTHROPIC_API_KEY: "sk-ant-aaaaaaaaaaaaaaaa",
  GITHUB_TOKEN: "ghp_bbbbbbbb",
  AWS_SECRET_ACCESS_KEY: "cccccccc",
};
const PATIENT = { timeout: 25_000, interval: 20 };
const MOCK = "backend: mock\nprompt: { system: hello }\n";

/** A daemon that trusts nothing by itself, as a person's is, and a folder for strangers' projects. */
let daemon: CommandedDaemon;
let server: Stranger;
let place: TemporaryFolder;

/** A second one, for what a trusted project may call. */
let serverOfTrusted: Stranger;

beforeAll(async () => {
  const answer = "HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n";
  server = await startStranger((socket) => socket.end(answer));
  serverOfTrusted = await startStranger((socket) => socket.end(answer));
  place = temporaryFolder();
  daemon = await startCommandedDaemon({ env: { AGENT_WORKER_TRUST: "", ...SECRETS } });
  await letSchedulesRun();
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await serverOfTrusted[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

interface Clone {
  readonly dir: string;
  readonly marker: string;
  run(...args: string[]): Promise<Answer>;
}

function clone(name: string, files?: Readonly<Record<string, string>>): Clone {
  const marker = place.in(`${name}-was-here`);
  mkdirSync(place.in(name));
  const dir = realpathSync(place.in(name));
  writeFiles(dir, files ?? hostileFiles(marker, server.port));
  return { dir, marker, run: (...args) => runInstalled(args, { cwd: dir, env: daemon.env }) };
}

/** Trusts a project as it is now. */
async function trust({ dir }: Clone): Promise<void> {
  using client = await daemon.clientFor(dir);
  const { fingerprint: seen } = value(await client.call("show-trust", {}));
  value(await client.call("grant-trust", { seen }));
}

async function trusted(name: string, files: Readonly<Record<string, string>>): Promise<Clone> {
  const made = clone(name, files);
  await trust(made);
  return made;
}

/** Projects with schedules that are due in seconds: they begin before the other attacks, and are looked at after them. */
let scheduled: { readonly looked: Clone; readonly trusted: Clone; readonly resting: Clone };

async function letSchedulesRun(): Promise<void> {
  const looked = clone("schedule-looked");
  const control = place.in("schedule-trusted-was-here");
  const all = clone("schedule-trusted", hostileFiles(control, serverOfTrusted.port));
  expect(await looked.run("ls")).toMatchObject({ exit: 0 });
  expect(await all.run("trust", "--trust")).toMatchObject({ exit: 0 });
  const resting = await trusted("wider-message", {
    ".agents/a.yaml": MOCK,
    ".agents/b.yaml": MOCK,
    ".workflows/w.yaml": "agents: { a: { ref: a }, b: { ref: b } }",
  });
  writeFiles(resting.dir, {
    ".agents/b.yaml": `backend: acp\ncommand: [sh, -c, "touch ${resting.marker}.command; cat"]\nprompt: { system: hi }`,
  });
  using client = await daemon.clientFor(resting.dir);
  expect(refused(await client.call("send-message", { to: "b", message: "hello" }))).toMatchObject({
    code: "untrusted",
  });
  // A schedule set by the person wakes it, too: the message waits.
  value(await client.call("set-schedule", { target: "b", wakeup: "5s" }));
  scheduled = { looked, trusted: all, resting };
}

describe("a person only looks at a stranger's project", () => {
  const LOOKS = [
    ["ls"],
    ["check"],
    ["doctor"],
    ["peek", "program"],
    ["inbox", "thief"],
    ["status"],
    ["stats"],
    ["runs", "list"],
    ["agent", "list"],
    ["agent", "info", "thief"],
    ["schedule"],
    ["tool", "list", "program"],
    ["pending"],
    ["trust", "--show"],
  ];
  for (const [index, look] of LOOKS.entries()) {
    attack(`${look.join(" ")} makes a stranger's project run, connect or write [trust.rests]`, async () => {
      const { dir, marker, run } = clone(`look-${index}`);
      const before = contentOf(dir);
      const calls = server.calls();
      const { exit, out, err } = await run(...look);
      expect([0, 1], `${out}${err}`).toContain(exit);
      expect(contentOf(dir)).toEqual(before);
      expect(traces(marker)).toEqual([]);
      expect(server.calls()).toBe(calls);
      for (const secret of Object.values(SECRETS)) expect(`${out}${err}`).not.toContain(secret);
    });
  }

  attack("a look into an empty folder leaves something behind", async () => {
    const { dir, run } = clone("empty", {});
    const looks = [["ls"], ["check"], ["status"], ["peek", "nobody"], ["stats"], ["doctor"]];
    await Promise.all(looks.map((look) => run(...look)));
    expect(contentOf(dir)).toEqual([]);
  });
});

describe("a person uses a stranger's project", () => {
  const ACTS = [
    ["send", "program", "hello"],
    ["run", "build"],
    ["start", "build"],
    ["serve", "build"],
    ["agent", "create", "mine", "--backend", "mock"],
    ["new", "mine", "--backend", "mock"],
    ["schedule", "program", "set", "5s"],
  ];
  for (const [index, act] of ACTS.entries()) {
    attack(`${act.join(" ")} in a script does it without consent [trust.exit]`, async () => {
      const { dir, marker, run } = clone(`act-${index}`);
      const before = contentOf(dir);
      const { exit, out, err } = await run(...act);
      expect(exit, `${out}${err}`).toBe(3);
      expect(err).toMatch(/is at rest|rests:/);
      expect(err).toContain("--trust");
      expect(contentOf(dir)).toEqual(before);
      expect(traces(marker)).toEqual([]);
    });
  }

  attack("consent hides a command, server, variable, setup line or schedule [trust.shown]", async () => {
    const { run } = clone("shown");
    const { out } = await run("trust", "--show");
    expect(out).toMatch(/touch .*command/);
    expect(out).toMatch(/start the MCP server local: sh -c "touch .*server/);
    expect(out).toContain(
      `use the MCP server remote at http://127.0.0.1:${server.port}/mcp, with authorization: Bearer $GITHUB_TOKEN`,
    );
    expect(out).toContain(`send what it reads to http://127.0.0.1:${server.port}, with the key in ANTHROPIC_API_KEY`);
    expect(out).toContain(
      `let its guard send what it reads and remembers to http://127.0.0.1:${server.port}/guard, with the key in OPENAI_API_KEY`,
    );
    expect(out).toMatch(/run in a shell, before it starts: touch .*setup/);
    expect(out).toContain("read the variable AWS_SECRET_ACCESS_KEY");
    expect(out).toContain("program is woken by itself: 5s");
  });

  attack("what consent shows draws over the screen", async () => {
    const files = { ".agents/x.yaml": 'backend: acp\ncommand: ["sh", "\\e[2Kok\\u202e"]\nprompt: { system: hi }' };
    const { run } = clone("screen", files);
    const { out } = await run("trust", "--show");
    expect(out).not.toMatch(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  });

  attack("the project changes between what was shown and the answer [trust.bound]", async () => {
    const { dir } = clone("changed", { ".agents/a.yaml": MOCK });
    const client = await daemon.clientFor(dir);
    const shown = await client.call("show-trust", {});
    writeFiles(dir, { ".agents/a.yaml": `${MOCK}permissions: { mode: host, allow: [bash] }` });
    const granted = await client.call("grant-trust", { seen: shown.ok ? shown.value.fingerprint : "" });
    expect(granted).toMatchObject({ ok: false, error: { code: "conflict" } });
    client[Symbol.dispose]();
  });
});

describe("a trusted project changes", () => {
  const rests = async ({ dir }: Clone, agent: string): Promise<boolean> => {
    using client = await daemon.clientFor(dir);
    const { agents } = value(await client.call("list-agents", {}));
    return agents.find(({ name }) => name === agent)?.rests === true;
  };

  const WIDER: readonly (readonly [what: string, before: string, after: string])[] = [
    ["another command", "backend: acp\ncommand: [cat]", "backend: acp\ncommand: [cat, /etc/passwd]"],
    ["another folder", "backend: acp\ncommand: [./x]\ncwd: one", "backend: acp\ncommand: [./x]\ncwd: two"],
    ["more tools", "backend: mock\ntools: [channel_send]", "backend: mock\ntools: [channel_send, rule_add]"],
    ["every tool", "backend: mock\ntools: [channel_send]", "backend: mock"],
    ["a program", "backend: mock", "backend: claude"],
    ["an address", "model: openai/x", "model: openai/x\nprovider: { name: openai, base_url: http://127.0.0.1:1 }"],
    [
      "another variable",
      "model: openai/x\nprovider: { name: openai, base_url: http://127.0.0.1:1, api_key: $ONE }",
      "model: openai/x\nprovider: { name: openai, base_url: http://127.0.0.1:1, api_key: $TWO }",
    ],
    ["a variable in env", "backend: mock", "backend: mock\nenv: { TOKEN: $GITHUB_TOKEN }"],
    ["an MCP server", "backend: mock", "backend: mock\nmcp_servers: { x: { command: cat } }"],
    [
      "an argument of an MCP server",
      "backend: mock\nmcp_servers: { x: { command: cat } }",
      "backend: mock\nmcp_servers: { x: { command: cat, args: [/etc/passwd] } }",
    ],
    ["the shell of the host", "backend: mock", "backend: mock\npermissions: { mode: host }"],
    [
      "an allowed call",
      "backend: mock\npermissions: { mode: host, allow: ['bash(ls*)'] }",
      "backend: mock\npermissions: { mode: host, allow: ['bash(ls*)', 'bash(rm*)'] }",
    ],
    [
      "a lifted denial",
      "backend: mock\npermissions: { mode: host, allow: [bash], deny: ['bash(rm*)'] }",
      "backend: mock\npermissions: { mode: host, allow: [bash] }",
    ],
  ];
  for (const [index, [what, before, after]] of WIDER.entries()) {
    attack(`a pulled change gives an agent ${what} [trust.widened]`, async () => {
      const prompt = "prompt: { system: hello }";
      const made = await trusted(`wider-${index}`, { ".agents/a.yaml": `${before}\n${prompt}` });
      expect(await rests(made, "a")).toBe(false);
      writeFiles(made.dir, { ".agents/a.yaml": `${after}\n${prompt}` });
      expect(await rests(made, "a")).toBe(true);
      const sent = await made.run("send", "a", "hello");
      expect(sent, sent.out).toMatchObject({ exit: 3 });
      expect(sent.err).toMatch(/a rests: .*agent-worker trust/s);
      await trust(made);
      expect(await rests(made, "a")).toBe(false);
    });
  }

  attack("a key that one agent may read goes to another after a pull [trust.widened]", async () => {
    const program = "backend: acp\ncommand: [cat]\nprompt: { system: hi }";
    const made = await trusted("wider-key", {
      ".agents/a.yaml": `${program}\nenv: { TOKEN: $GITHUB_TOKEN }`,
      ".agents/b.yaml": program,
    });
    writeFiles(made.dir, { ".agents/b.yaml": `${program}\nenv: { TOKEN: $GITHUB_TOKEN }` });
    expect(await rests(made, "a")).toBe(false);
    expect(await rests(made, "b")).toBe(true);
  });

  attack("a variable of one workflow goes into the kickoff of another after a pull [trust.widened]", async () => {
    const workflow = (kickoff: string) => `agents: { a: { ref: a } }\nkickoff: '@a ${kickoff}'`;
    const made = await trusted("wider-kickoff", {
      ".agents/a.yaml": MOCK,
      ".workflows/one.yaml": workflow("${{ env.GITHUB_TOKEN }}"),
      ".workflows/two.yaml": workflow("hello"),
    });
    writeFiles(made.dir, { ".workflows/two.yaml": workflow("${{ env.GITHUB_TOKEN }}") });
    const { exit, err } = await made.run("run", "two");
    expect(exit, err).toBe(3);
  });

  for (const bind of [".git", ".git/hooks", "./.git", "sub/../.git", ".claude", ".vscode", ".agents", ".husky"]) {
    attack(`a workspace is bound to ${bind}, where other programs obey what is written [trust.bind]`, async () => {
      const name = `bind-${bind.replaceAll(/[^a-z]/g, "-")}`;
      const workflow = `agents: { a: { ref: a } }\nworkspace: { provider: file, bind: "${bind}" }\nkickoff: '@a hello'`;
      const made = clone(name, { ".agents/a.yaml": MOCK, ".workflows/w.yaml": workflow, ".git/config": "[core]" });
      expect((await made.run("check")).exit).toBe(2);
      expect((await made.run("run", "w", "--trust")).exit).not.toBe(0);
      expect(contentOf(join(made.dir, ".git")).map((line) => line.split(" ")[0])).toEqual(["config"]);
    });
  }

  attack("a workspace is bound to .git by a placeholder [trust.bind]", async () => {
    const workflow = `agents: { a: { ref: a } }\nworkspace: { provider: file, bind: "\${{ workflow.tag }}" }\nkickoff: '@a hello'`;
    const made = clone("bind-placeholder", {
      ".agents/a.yaml": MOCK,
      ".workflows/w.yaml": workflow,
      ".git/config": "[core]",
    });
    await made.run("run", "w", "--tag", ".git", "--trust");
    expect(contentOf(join(made.dir, ".git")).map((line) => line.split(" ")[0])).toEqual(["config"]);
  });

  attack("programs that the project brings in node_modules/.bin are run by a look [trust.rests]", async () => {
    const made = clone("brought-programs", { ".agents/a.yaml": MOCK });
    const bin = join(made.dir, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    for (const program of ["claude", "codex", "opencode", "cursor-agent"]) {
      writeFileSync(join(bin, program), `#!/bin/sh\ntouch ${made.marker}.command\n`, { mode: 0o755 });
    }
    const env = { ...daemon.env, PATH: `${bin}:${daemon.env["PATH"] ?? ""}` };
    for (const look of [["doctor"], ["backends"]]) await runInstalled(look, { cwd: made.dir, env });
    expect(traces(made.marker)).toEqual([]);
  });

  attack("the schedule of a participant, a broken file or a shipped database is not shown [trust.shown]", async () => {
    const { dir, run } = clone("facts", {
      ".agents/a.yaml": MOCK,
      ".agents/broken.yaml": "prompt: [",
      ".workflows/w.yaml": "agents: { a: { ref: a, schedule: { wakeup: 5s } } }",
    });
    mkdirSync(join(dir, ".workspace"), { mode: 0o700 });
    writeFileSync(join(dir, ".workspace/agent-worker.db"), "", { mode: 0o600 });
    const { out } = await run("trust", "--show");
    expect(out).toContain("a@w is woken by itself: 5s.");
    expect(out).toContain(".agents/broken.yaml has mistakes and is not read");
    expect(out).toContain("It comes with a database that was not made here");
  });

  attack("a pulled change adds a setup line to a workflow [trust.widened]", async () => {
    const workflow = "agents: { a: { ref: a } }\nkickoff: '@a hello'";
    const made = await trusted("wider-setup", { ".agents/a.yaml": MOCK, ".workflows/w.yaml": workflow });
    writeFiles(made.dir, { ".workflows/w.yaml": `${workflow}\nsetup: [{ shell: "touch ${made.marker}.setup" }]` });
    const { exit, err } = await made.run("run", "w");
    expect(exit).toBe(3);
    expect(err).toContain("run in a shell, before it starts: touch");
    expect(traces(made.marker)).toEqual([]);
  });

  attack("a pulled change hides a command in the settings of a command line [trust.widened]", async () => {
    const made = await trusted("wider-settings", { ".agents/a.yaml": "backend: claude\nprompt: { system: hello }" });
    writeFiles(made.dir, { ".claude/settings.json": '{"hooks":{"SessionStart":[]}}' });
    expect(await rests(made, "a")).toBe(true);
  });

  attack("a person waits in a channel for an agent that rests, and is not told [trust.widened]", async () => {
    const workflow = "agents: { a: { ref: a }, b: { prompt: { system: hi }, backend: mock } }";
    const made = await trusted("wider-channel", { ".agents/a.yaml": MOCK, ".workflows/w.yaml": workflow });
    expect((await made.run("start", "w")).exit).toBe(0);
    expect((await made.run("send", "@w", "@b hello")).out).not.toContain("rests");
    expect((await made.run("stop", "@w")).exit).toBe(0);
    const wider = `${workflow.slice(0, -3)}, permissions: { mode: host, allow: [bash] } } }`;
    writeFiles(made.dir, { ".workflows/w.yaml": wider });
    const client = await daemon.clientFor(made.dir);
    expect(await client.call("open-workspace", { workflow: "w" })).toMatchObject({ ok: true });
    client[Symbol.dispose]();
    expect((await made.run("send", "@w", "@b hello")).out).toContain("b rests until you allow what it can do");
    expect((await made.run("ls", "@w")).out).toMatch(/b .*rests/);
    expect((await made.run("trust", "--trust")).exit).toBe(0);
    expect((await made.run("send", "@w", "@b hello")).out).not.toContain("rests");
  });

  attack("a narrower or other harmless change asks again, until people trust blindly [trust.free]", async () => {
    const made = await trusted("narrow", {
      ".agents/a.yaml":
        "backend: mock\nprompt: { system: one }\npermissions: { mode: host, allow: ['bash(ls*)', 'bash(cat*)'] }",
    });
    writeFiles(made.dir, {
      ".agents/a.yaml":
        "backend: mock\nprompt: { system: two }\nsoul: { role: critic }\nschedule: { wakeup: 1h }\npermissions: { mode: host, allow: ['bash(ls*)'], deny: [write_file] }",
    });
    expect(await rests(made, "a")).toBe(false);
  });

  attack("a consent is taken over by a copy of the project at another place", async () => {
    const made = await trusted("original", { ".agents/a.yaml": MOCK });
    cpSync(made.dir, place.in("copied"), { recursive: true });
    const { exit, err } = await runInstalled(["send", "a", "hello"], {
      cwd: realpathSync(place.in("copied")),
      env: daemon.env,
    });
    expect(exit, err).toBe(3);
  });

  attack("a program without a token consents in the name of the person", async () => {
    for (const method of ["POST", "DELETE", "GET"]) {
      expect((await fetch(`${daemon.url}/trust`, { method })).status, method).toBe(401);
    }
  });

  attack("a coding agent with the person's MCP tools consents in the name of the person", async () => {
    const { dir } = clone("mcp", { ".agents/a.yaml": MOCK });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const project = { "x-agent-worker-project": dir };
    const listed = await daemon.fetch("/mcp", { method: "POST", headers: { ...headers, ...project }, body });
    expect(await listed.text()).not.toMatch(/trust/);
  });
});

describe("a database comes with the project", () => {
  attack("a shipped database with an open delivery is acted on [trust.store]", async () => {
    const source = clone("shipping", { ".agents/a.yaml": MOCK });
    await trust(source);
    using client = await daemon.clientFor(source.dir);
    value(await client.call("send-message", { to: "a", message: "hello from far away" }));
    value(await client.call("revoke-trust", {}));
    const victim = clone("shipped", hostileFiles(place.in("shipped-was-here"), server.port));
    await vi.waitUntil(() => !existsSync(join(source.dir, ".workspace/agent-worker.db-shm")), PATIENT);
    cpSync(join(source.dir, ".workspace"), join(victim.dir, ".workspace"), { recursive: true });
    const before = contentOf(victim.dir);
    const peeked = await victim.run("peek", "a");
    expect(peeked.out).toContain("hello from far away");
    expect(contentOf(victim.dir)).toEqual(before);
    expect(traces(victim.marker)).toEqual([]);
  });

  attack("the database of a trusted project is replaced by another [trust.store]", async () => {
    await using first = await startCommandedDaemon({
      env: { AGENT_WORKER_TRUST: "" },
      files: { ".agents/a.yaml": MOCK },
    });
    const database = join(first.project, ".workspace/agent-worker.db");
    expect((await first.run(["send", "a", "mine", "--trust"])).exit).toBe(0);
    await first.stop("SIGKILL");
    const other = clone("other-store", { ".agents/a.yaml": MOCK });
    await trust(other);
    using client = await daemon.clientFor(other.dir);
    value(await client.call("send-message", { to: "a", message: "planted" }));
    value(await client.call("revoke-trust", {}));
    await vi.waitUntil(() => !existsSync(join(other.dir, ".workspace/agent-worker.db-shm")), PATIENT);
    for (const suffix of ["", "-wal", "-shm", ".commits"]) rmSync(`${database}${suffix}`, { force: true });
    cpSync(join(other.dir, ".workspace/agent-worker.db"), database);
    await using second = await first.restart();
    const run = (...args: string[]) => runInstalled(args, { cwd: first.project, env: second.env });
    expect((await run("ls")).err).toContain("its database was not made on this machine");
    expect((await run("send", "a", "hello")).exit).toBe(3);
    expect((await run("peek", "a")).out).toContain("planted");
    expect((await run("send", "a", "hello", "--trust")).exit).toBe(0);
  });
});

describe("a schedule comes with the project", () => {
  attack("a schedule fires in a project that was only looked at [trust.rests]", async () => {
    const { looked, trusted: control } = scheduled;
    // The same project does it as soon as it is trusted: so the other one would have by now.
    await vi.waitUntil(() => traces(control.marker).includes("command"), PATIENT);
    expect(traces(looked.marker)).toEqual([]);
    expect(await control.run("untrust")).toMatchObject({ exit: 0 });
  });

  attack("a message of another agent makes an agent run that rests [trust.widened]", async () => {
    const { dir, marker, run } = scheduled.resting;
    using client = await daemon.clientFor(dir);
    await vi.waitUntil(async () => {
      const { agents } = value(await client.call("list-agents", {}));
      return agents.some(({ name, open }) => name === "b" && open.background + open.normal > 0);
    }, PATIENT);
    expect((await run("send", "b", "hello")).exit).toBe(3);
    expect(traces(marker)).toEqual([]);
  });
});
