import { linkSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { runInstalled } from "../../support/daemon/installed-command.ts";
import { hasTerminals, runInTerminal } from "../../support/daemon/terminal-command.ts";
import { attack } from "../../support/security/attack.ts";
import { writeFiles } from "../../support/security/hostile-project.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";
import { newSite } from "../../support/security/site.ts";

const MOCK = "backend: mock\nprompt: { system: hello }";
const REVIEW = "agents: { a: { ref: a } }\nkickoff: '@a hello'";

let daemon: CommandedDaemon;
let place: TemporaryFolder;

beforeAll(async () => {
  place = temporaryFolder();
  daemon = await startCommandedDaemon({ env: { AGENT_WORKER_TRUST: "" } });
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

function folder(name: string, files: Readonly<Record<string, string>> = {}) {
  mkdirSync(place.in(name));
  const dir = realpathSync(place.in(name));
  writeFiles(dir, files);
  return {
    dir,
    run: (args: readonly string[], env = {}) => runInstalled(args, { cwd: dir, env: { ...daemon.env, ...env } }),
    inTerminal: (args: readonly string[], key?: string) =>
      runInTerminal(args, { cwd: dir, env: daemon.env, ...(key === undefined ? {} : { key }) }),
  };
}

describe("a person at a terminal", () => {
  it.skipIf(!hasTerminals)("is asked once, in plain words, with one key [trust.asks]", async () => {
    const { inTerminal, run } = folder("cloned", { ".agents/a.yaml": MOCK, ".workflows/review.yaml": REVIEW });
    const first = await inTerminal(["run", "review"], "y");
    expect(first.shown).toContain("This project is not trusted on this machine.");
    expect(first.shown).toContain("Let it do this? [y/N]");
    expect(first.exit, first.shown).toBe(0);
    const second = await inTerminal(["run", "review"]);
    expect(second.shown).not.toContain("[y/N]");
    expect(second.exit, second.shown).toBe(0);
    expect((await run(["trust", "list"])).out).toContain("cloned");
  });

  it.skipIf(!hasTerminals)("who says no has done nothing [trust.asks]", async () => {
    const { inTerminal, run } = folder("declined", { ".agents/a.yaml": MOCK });
    const { exit, shown } = await inTerminal(["send", "a", "hello"], "n");
    expect(shown).toContain("Nothing was done: the project stays at rest.");
    expect(exit).toBe(3);
    const { messages } = JSON.parse((await run(["peek", "a", "--json"])).out) as { messages: unknown[] };
    expect(messages).toEqual([]);
  });

  it.skipIf(!hasTerminals)("is shown only the difference when an agent can do more [trust.asks]", async () => {
    const { dir, inTerminal, run } = folder("pulled", {
      ".agents/a.yaml": MOCK,
      ".agents/b.yaml": "backend: claude\nprompt: { system: hi }",
    });
    expect((await run(["trust", "--trust"])).exit).toBe(0);
    writeFiles(dir, { ".agents/a.yaml": `${MOCK}\npermissions: { mode: host, allow: ['bash(rm *)'] }` });
    const { exit, shown } = await inTerminal(["send", "a", "hello"], "y");
    expect(shown).toContain("+ call bash(rm *) without asking");
    expect(shown).not.toContain("claude");
    expect(exit, shown).toBe(0);
  });
});

describe("a script", () => {
  it("consents with --trust, before or after the command [trust.exit]", async () => {
    const files = { ".agents/a.yaml": MOCK };
    expect((await folder("script-1", files).run(["send", "a", "hello", "--trust"])).exit).toBe(0);
    expect((await folder("script-2", files).run(["--trust", "send", "a", "hello"])).exit).toBe(0);
  });

  it("consents with AGENT_WORKER_TRUST=1, and only for itself [trust.exit]", async () => {
    const files = { ".agents/a.yaml": MOCK };
    expect((await folder("script-3", files).run(["send", "a", "hello"], { AGENT_WORKER_TRUST: "1" })).exit).toBe(0);
    expect((await folder("script-4", files).run(["send", "a", "hello"])).exit).toBe(3);
    expect((await folder("script-5", files).run(["send", "a", "hello"], { AGENT_WORKER_TRUST: "yes" })).exit).toBe(3);
  });

  it("learns everything as JSON", async () => {
    const { run } = folder("script-6", { ".agents/a.yaml": "backend: claude\nprompt: { system: hi }" });
    expect(JSON.parse((await run(["trust", "--show", "--json"])).out)).toMatchObject({
      kind: "unknown",
      abilities: [{ who: "a", text: "run the program claude", seen: false }],
    });
    expect(JSON.parse((await run(["send", "a", "hello", "--json"])).out)).toMatchObject({
      error: { code: "untrusted" },
    });
  });
});

describe("what a person makes here", () => {
  it("with init needs no question [trust.own]", async () => {
    const { run } = folder("own-init");
    expect((await run(["init", "--backend", "mock"])).exit).toBe(0);
    const { exit, out, err } = await run(["run", "hello"]);
    expect(exit, `${out}${err}`).toBe(0);
  });

  it("with agent create and new, in an empty folder, needs no question [trust.own]", async () => {
    const { run } = folder("own-create");
    expect((await run(["agent", "create", "a", "--backend", "mock"])).exit).toBe(0);
    expect((await run(["agent", "create", "b", "--backend", "claude"])).exit).toBe(0);
    expect((await run(["new", "c", "--backend", "mock"])).exit).toBe(0);
    expect((await run(["send", "a", "hello"])).exit).toBe(0);
    const { agents } = JSON.parse((await run(["ls", "--json"])).out) as { agents: { rests: boolean }[] };
    expect(agents.map(({ rests }) => rests)).toEqual([false, false, false]);
  });

  it("with agent edit needs no question, however wide it is [trust.own]", async () => {
    const { dir, run } = folder("own-edit", { ".agents/a.yaml": MOCK });
    expect((await run(["trust", "--trust"])).exit).toBe(0);
    writeFiles(dir, { "editor.sh": `#!/bin/sh\necho 'permissions: { mode: host, allow: [bash] }' >> "$1"` });
    expect((await run(["agent", "edit", "a"], { EDITOR: `sh ${dir}/editor.sh` })).exit).toBe(0);
    const { agents } = JSON.parse((await run(["ls", "--json"])).out) as { agents: { rests: boolean }[] };
    expect(agents).toMatchObject([{ name: "a", rests: false }]);
  });

  it("is not asked about again after trust --always, and is after untrust", async () => {
    const { dir, run } = folder("always", { ".agents/a.yaml": MOCK });
    expect((await run(["trust", "--always", "--trust"])).exit).toBe(0);
    writeFiles(dir, { ".agents/a.yaml": `${MOCK}\npermissions: { mode: host, allow: [bash] }` });
    expect((await run(["send", "a", "hello"])).exit).toBe(0);
    expect((await run(["trust", "list"])).out).toMatch(/always {2}\(always\)/);
    expect((await run(["untrust"])).exit).toBe(0);
    expect((await run(["send", "a", "hello"])).exit).toBe(3);
  });

  it("is told the truth by untrust: what was not trusted, or cannot rest, is not said to rest now", async () => {
    const { dir, run } = folder("untrusted-twice", { ".agents/a.yaml": MOCK });
    expect(await run(["untrust"])).toMatchObject({ exit: 3, err: expect.stringContaining("Nobody had trusted") });
    await using trusting = await startCommandedDaemon({ env: { AGENT_WORKER_TRUST: "1" } });
    const { exit, err } = await runInstalled(["untrust"], { cwd: dir, env: trusting.env });
    expect(exit).toBe(3);
    expect(err).toContain("This daemon trusts every project");
  });

  it("is said by ls, status and doctor when it rests", async () => {
    const { run } = folder("said", { ".agents/a.yaml": MOCK });
    expect((await run(["ls"])).err).toContain("agent-worker trust");
    expect((await run(["status"])).out).toContain("At rest");
    const { out } = await run(["doctor"]);
    expect(out).toContain("you have not trusted this project");
    expect(out).not.toContain("All is well");
  });
});

for (const command of [["peek", "alice"], ["send", "alice", "hello"], ["ls"]]) {
  attack(`plants a hard link as the database of a project at rest, for ${command[0]} [workspace.unsafe]`, async () => {
    const letter = "the only copy of a letter\n".repeat(400);
    const site = newSite(daemon);
    writeFileSync(site.elsewhere("letter.txt"), letter);
    mkdirSync(dirname(site.in(".workspace/agent-worker.db")), { recursive: true });
    linkSync(site.elsewhere("letter.txt"), site.in(".workspace/agent-worker.db"));
    const answer = await site.run(command);
    expect(answer).toMatchObject({ exit: 3, out: "" });
    expect(answer.err).toMatch(/agent-worker\.db has a second name elsewhere \(a hard link\)/);
    expect(readFileSync(site.elsewhere("letter.txt"), "utf8")).toBe(letter);
  });
}
