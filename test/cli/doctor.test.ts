import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync, existsSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { commandFolder, type Answer, type CommandFolder } from "../support/daemon/installed-command.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { TEAM } from "../support/team/team.ts";

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
  readonly next: string | null;
}

const ENV = { AGENT_WORKER_PORT: "0", PATH: "/nowhere" };

async function examined(folder: CommandFolder, args: readonly string[] = [], env: Record<string, string> = {}) {
  const { exit, out, err } = await folder.run(["doctor", "--json", ...args], { env: { ...ENV, ...env } });
  expect(err).toBe("");
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  expect(exit).toBe(ok ? 0 : 1);
  const about = (check: string): Finding[] => findings.filter((finding) => finding.check === check);
  return { exit, findings, about };
}

describe("agent-worker doctor", () => {
  it("[cli.doctor] finds nothing wrong with a sound project, changes nothing and starts no daemon", async () => {
    using folder = commandFolder(TEAM);
    const { exit, findings, about } = await examined(folder);
    expect(exit).toBe(0);
    expect(findings.every(({ state, next }) => state === "ok" && next === null)).toBe(true);
    for (const check of ["node", "sqlite", "home", "daemon", "port", "project", "database", "disk", "engines"]) {
      expect(about(check), check).toHaveLength(1);
    }
    expect(existsSync(folder.in(".agent-worker"))).toBe(false);
    expect(existsSync(folder.in(".workspace"))).toBe(false);
    expect((await folder.run(["doctor"], { env: ENV })).out).toMatch(/^ok +node +Node 2\d\.[^]*\nAll is well\.\n$/);
  });

  it("[cli.doctor] [daemon.bad-config] names every mistake of the project's files, with its place and the next step", async () => {
    using folder = commandFolder({
      ...TEAM,
      ".agents/dora.yaml": "name: dora\nbackend: mokc\nprompt: { system: Hi. }\n",
      "moniro.yaml": "store: [\n",
    });
    const { exit, about } = await examined(folder);
    expect(exit).toBe(1);
    const places = about("project").map(({ message }) => message);
    expect(places).toContainEqual(expect.stringMatching(/^\.agents\/dora\.yaml:2:10: "backend" cannot be "mokc"/));
    expect(places).toContainEqual(expect.stringMatching(/^moniro\.yaml:\d+:\d+: /));
    expect(about("project").every(({ next }) => next !== null && next !== "")).toBe(true);
    const { out } = await folder.run(["doctor"], { env: ENV });
    expect(out).toMatch(/^problem +project +\.agents\/dora\.yaml:2:10: .*\. .+$/m);
    expect(out).toMatch(/\n2 problems\.\n$/);
  });

  it("[cli.doctor] repairs modes and a registration that leads nowhere, when it is told to", async () => {
    using folder = commandFolder(TEAM);
    const home = folder.in(".agent-worker");
    mkdirSync(`${home}/logs`, { recursive: true });
    writeFileSync(`${home}/daemon.json`, "{ half");
    writeFileSync(`${home}/logs/daemon.log`, "");
    chmodSync(home, 0o755);
    chmodSync(`${home}/daemon.json`, 0o644);
    const before = await examined(folder);
    expect(before.exit).toBe(1);
    expect(before.about("home").map(({ state }) => state)).toContain("problem");
    expect(before.about("daemon")).toMatchObject([{ state: "problem", next: expect.stringContaining("doctor --fix") }]);
    expect(readFileSync(`${home}/daemon.json`, "utf8")).toBe("{ half");

    const repaired = await examined(folder, ["--fix"]);
    expect(repaired.exit).toBe(0);
    expect(repaired.about("daemon")).toMatchObject([{ state: "fixed" }]);
    expect(existsSync(`${home}/daemon.json`)).toBe(false);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(`${home}/logs/daemon.log`).mode & 0o777).toBe(0o600);
    const after = await examined(folder);
    expect(after.findings.filter(({ state }) => state !== "ok")).toEqual([]);
  });

  it("[cli.doctor] tells a taken port, a missing engine, a missing key and a damaged database", async () => {
    const stranger = createServer().listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const address = stranger.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    try {
      using folder = commandFolder({
        ".agents/ann.yaml": "name: ann\nbackend: opencode\nprompt: { system: Hi. }\n",
        ".agents/ben.yaml": "name: ben\nmodel: anthropic/claude-x\nprompt: { system: Hi. }\n",
        ".agents/cid.yaml": "name: cid\nmodel: groq/some-model\nprompt: { system: Hi. }\n",
        ".workspace/agent-worker.db": "This is no database, and never was one.".repeat(100),
      });
      const { exit, about } = await examined(folder, [], {
        AGENT_WORKER_PORT: port,
        GROQ_API_KEY: "sk-test-not-a-key",
      });
      expect(exit).toBe(1);
      expect(about("port")).toMatchObject([{ state: "problem", message: expect.stringContaining(port) }]);
      expect(about("engines")).toMatchObject([
        { state: "ok" },
        {
          state: "problem",
          message: "ann runs on opencode, which is not installed",
          next: expect.stringContaining("npm"),
        },
      ]);
      expect(about("providers")).toMatchObject([
        { state: "problem", message: expect.stringContaining("ANTHROPIC_API_KEY") },
        {
          state: "problem",
          message: expect.stringContaining("@ai-sdk/groq"),
          next: "Install it with: agent-worker providers add groq",
        },
      ]);
      expect(about("database")).toMatchObject([{ state: "problem", message: expect.stringContaining("damaged") }]);
      const bad = await examined(folder, [], { AGENT_WORKER_PORT: "many" });
      expect(bad.about("port")).toMatchObject([{ state: "problem", message: expect.stringContaining("many") }]);
    } finally {
      stranger.close();
    }
  });

  it("[cli.doctor] asks a running daemon, and looks at the database while it works", async () => {
    await using daemon = await startCommandedDaemon({ files: TEAM });
    await daemon.client.call("send-message", { to: "alice", message: "hello" });
    const { findings } = (await daemon.json(["doctor"])) as { findings: readonly Finding[] };
    const state = (check: string) => findings.find((finding) => finding.check === check);
    expect(state("daemon")).toMatchObject({ state: "ok", message: expect.stringContaining(daemon.url) });
    expect(state("database")).toMatchObject({
      state: "ok",
      message: expect.stringMatching(/^(\.workspace\/agent-worker\.db is sound$|postgres:\S+ .* is sound)/),
    });
    expect(state("port")).toBeUndefined();

    await daemon.stop("SIGKILL");
    const dead = parsed(await daemon.run(["doctor", "--json"]));
    expect(dead.find(({ check }) => check === "daemon")).toMatchObject({ state: "problem" });
    const fixed = parsed(await daemon.run(["doctor", "--json", "--fix"]));
    expect(fixed.find(({ check }) => check === "daemon")).toMatchObject({ state: "fixed" });
  });

  it("says what keeps the model of the guard from being asked, before and after it was [guard.doctor]", async () => {
    const guarded = (name: string, guard: string): string =>
      `name: ${name}\nbackend: mock\nprompt: { system: You are ${name}. }\nguard: { ${guard} }\n`;
    using folder = commandFolder({
      ".agents/ada.yaml": guarded("ada", "model: anthropic/claude-small"),
      ".agents/ben.yaml": guarded("ben", "model: mistral/small"),
    });
    const { about } = await examined(folder, ["--trust"]);
    expect(about("guard")).toMatchObject([
      {
        state: "problem",
        message: expect.stringMatching(/^the guard of ada names anthropic\/claude-small, and rules/),
      },
      { message: expect.stringContaining("the guard of ben") },
    ]);
    expect(about("guard").every(({ next }) => next !== null)).toBe(true);
    const withKey = await examined(folder, ["--trust"], { ANTHROPIC_API_KEY: "no-key" });
    expect(withKey.about("guard").filter(({ message }) => message.includes("ada"))).toEqual([]);

    await using model = await startFakeModelServer(() => ({ status: 401 }));
    const choice = `model: small-model, provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
    await using daemon = await startCommandedDaemon({
      env: { FAKE_KEY: "no-key" },
      files: {
        ".agents/ada.yaml": `${guarded("ada", choice)}model: scripts/ada.yaml\n`,
        "scripts/ada.yaml":
          "- when: learn\n  steps:\n    - { call: { tool: memory_store, args: { content: Releases wait for Maria, key: release } } }\n    - { say: Learned. }\n",
      },
    });
    expect(await daemon.run(["send", "ada", "learn", "--wait"])).toMatchObject({ exit: 0 });
    const { out } = await daemon.run(["doctor"], { env: { FAKE_KEY: "no-key" } });
    expect(out).toMatch(
      /^warning +guard +the guard of ada decides by rules, because its model anthropic\/small-model did/m,
    );
    expect(out).toMatch(/401|key/);
  });
});

function parsed({ out }: Answer): readonly Finding[] {
  return (JSON.parse(out) as { findings: readonly Finding[] }).findings;
}
