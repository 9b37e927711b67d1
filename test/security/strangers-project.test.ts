import { cpSync, existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { runInstalled, type Answer } from "../support/daemon/installed-command.ts";
import { startStranger, type Stranger } from "../support/daemon/stranger.ts";
import { attack } from "../support/security/attack.ts";
import { contentOf, hostileFiles, traces, writeFiles } from "../support/security/hostile-project.ts";
import { temporaryFolder, type TemporaryFolder } from "../support/temporary-folder.ts";

const SECRETS = {
  ANTHROPIC_API_KEY: "sk-ant-aaaaaaaaaaaaaaaa",
  GITHUB_TOKEN: "ghp_bbbbbbbb",
  AWS_SECRET_ACCESS_KEY: "cccccccc",
};
const PATIENT = { timeout: 25_000, interval: 100 };
const MOCK = "backend: mock\nprompt: { system: hello }\n";

/** A daemon that trusts nothing by itself, as a person's is, and a folder for strangers' projects. */
let daemon: CommandedDaemon;
let server: Stranger;
let place: TemporaryFolder;

beforeAll(async () => {
  server = await startStranger((socket) => socket.end("HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n"));
  place = temporaryFolder();
  daemon = await startCommandedDaemon({ env: { AGENT_WORKER_TRUST: "", ...SECRETS } });
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
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

  attack("a schedule fires in a project that was only looked at [trust.rests]", async () => {
    const looked = clone("schedule-looked");
    const trusted = clone("schedule-trusted");
    await looked.run("ls");
    expect(await trusted.run("trust", "--trust")).toMatchObject({ exit: 0 });
    // The same project does it as soon as it is trusted: so the other one would have by now.
    await vi.waitUntil(() => traces(trusted.marker).includes("command"), PATIENT);
    expect(traces(looked.marker)).toEqual([]);
    expect(await trusted.run("untrust")).toMatchObject({ exit: 0 });
  });

  attack("a look into an empty folder leaves something behind", async () => {
    const { dir, run } = clone("empty", {});
    for (const look of [["ls"], ["check"], ["status"], ["peek", "nobody"], ["stats"], ["doctor"]]) await run(...look);
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
    expect(out).toMatch(/run in a shell, before it starts: touch .*setup/);
    expect(out).toContain("read the variable AWS_SECRET_ACCESS_KEY");
    expect(out).toContain("program is woken by itself: 5s");
  });

  attack("what consent shows draws over the screen", async () => {
    const files = { ".agents/x.yaml": 'backend: acp\ncommand: ["sh", "\\e[2Kok\\u202e"]\nprompt: { system: hi }' };
    const { run } = clone("screen", files);
    const { out } = await run("trust", "--show");
    // eslint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
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
  const rests = async ({ run }: Clone, agent: string): Promise<boolean> => {
    const { out } = await run("ls", "--json");
    const { agents } = JSON.parse(out) as { agents: { name: string; rests: boolean }[] };
    return agents.find(({ name }) => name === agent)?.rests === true;
  };
  const trusted = async (name: string, files: Readonly<Record<string, string>>): Promise<Clone> => {
    const made = clone(name, files);
    expect(await made.run("trust", "--trust")).toMatchObject({ exit: 0 });
    return made;
  };

  const WIDER: readonly (readonly [what: string, before: string, after: string])[] = [
    ["another command", "backend: acp\ncommand: [cat]", "backend: acp\ncommand: [cat, /etc/passwd]"],
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
      expect((await made.run("trust", "--trust")).exit).toBe(0);
      expect(await rests(made, "a")).toBe(false);
    });
  }

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

  attack("a message of another agent makes an agent run that rests [trust.widened]", async () => {
    const workflow = "agents: { a: { ref: a }, b: { ref: b } }";
    const made = await trusted("wider-message", {
      ".agents/a.yaml": MOCK,
      ".agents/b.yaml": MOCK,
      ".workflows/w.yaml": workflow,
    });
    writeFiles(made.dir, {
      ".agents/b.yaml": `backend: acp\ncommand: [sh, -c, "touch ${made.marker}.command; cat"]\nprompt: { system: hi }`,
    });
    expect((await made.run("send", "b", "hello")).exit).toBe(3);
    const client = await daemon.clientFor(made.dir);
    // A schedule set by the person wakes it, too: the message waits.
    expect(await client.call("set-schedule", { target: "b", wakeup: "5s" })).toMatchObject({ ok: true });
    await vi.waitUntil(async () => {
      const listed = await client.call("list-agents", {});
      return (
        listed.ok && listed.value.agents.some(({ name, open }) => name === "b" && open.background + open.normal > 0)
      );
    }, PATIENT);
    expect(traces(made.marker)).toEqual([]);
    client[Symbol.dispose]();
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
    expect((await source.run("send", "a", "hello from far away", "--trust")).exit).toBe(0);
    await source.run("untrust");
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
    await first.stop();
    const other = clone("other-store", { ".agents/a.yaml": MOCK });
    expect((await other.run("send", "a", "planted", "--trust")).exit).toBe(0);
    expect((await other.run("untrust")).exit).toBe(0);
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
