import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { openDefinitions } from "../../../src/files/project/definition-registry.ts";
import { loadProject } from "../../../src/files/project/load-project.ts";
import { writeSchemas } from "../../../src/files/project/write-schemas.ts";
import { temporaryProject } from "../../fixtures/definitions/load-text.ts";
import { runs } from "../../property.ts";

const AGENT = "model: auto\nprompt: { system: Hello. }\n";
const plain = (name: string): AgentDefinition => ({ name, model: "auto", prompt: { system: "Hi." } });

const FULL: AgentDefinition = {
  name: "full",
  model: "anthropic/claude-sonnet-4-5",
  backend: "sdk",
  provider: { name: "anthropic", baseUrl: "https://x.example/v1", apiKeyEnv: "KEY" },
  prompt: { system: "Line one: with a colon\n\n  indented # not a comment\n@all ${{ x }}\n" },
  soul: { role: "yes", expertise: ["no", "1.0"], principles: ["- dash"], extra: { deep: [1, null, true] } },
  contextDir: "people/full",
  memory: { budget: 5, autoLoad: false, search: true, archive: true },
  maxTokens: 10,
  maxSteps: 3,
  timeoutMs: 90_061_001,
  timeouts: { connectMs: 5_000, firstByteMs: 120_000, betweenMs: 61_000, stepMs: 600_000 },
  schedule: { wakeup: "0 9 * * 1-5", prompt: "Go", workspace: "review:pr-1", timeZone: "Europe/Berlin" },
  tools: ["*", "bash", "*_read"],
  mcpServers: {
    one: { command: "x", args: ["-y", ""], env: { A: "1", B: "true" }, cwd: "tools" },
    two: { url: "https://x.example", headers: { "X-A": "b" } },
  },
  permissions: { mode: "host", allow: ["bash(null)"], ask: [], deny: ["*_write"] },
  budget: { tokens: 1, turns: 2, hops: 3, costUsd: 0.25, wallTimeMs: 1500 },
  env: { A: "007", B: "" },
  cwd: "packages/x",
};

describe("creating agents", () => {
  it("[agent.create] writes a readable file with its modeline, and the agent is found at once", async () => {
    using project = temporaryProject();
    const definitions = await openDefinitions(project.dir);
    expect(await definitions.createAgent(plain("alice"))).toEqual({ ok: true, value: { file: ".agents/alice.yaml" } });
    expect(definitions.agent("alice")).toEqual(plain("alice"));
    expect(readFileSync(join(project.dir, ".agents/alice.yaml"), "utf8")).toBe(
      "# yaml-language-server: $schema=.schema/agent.json\nname: alice\nmodel: auto\nprompt:\n  system: Hi.\n",
    );
    expect(statSync(join(project.dir, ".agents/alice")).isDirectory()).toBe(true);
    expect(readdirSync(join(project.dir, ".agents")).toSorted()).toEqual([".schema", "alice", "alice.yaml"]);
  });

  it("[agent.create] a definition with everything loads back as it was", async () => {
    using project = temporaryProject({ "prompts/p.md": "Hi" });
    const definitions = await openDefinitions(project.dir);
    const withFile: AgentDefinition = {
      name: "filed",
      backend: "acp",
      command: ["x", "--acp"],
      prompt: { systemFile: "prompts/p.md" },
    };
    for (const definition of [FULL, withFile]) {
      expect((await definitions.createAgent(definition)).ok).toBe(true);
      expect(definitions.agent(definition.name)).toEqual(definition);
    }
    const { agents, problems } = await loadProject(project.dir);
    expect(problems).toEqual([]);
    expect(agents.get("full")?.definition).toEqual(FULL);
  });

  it("any text of a prompt or a soul survives the file, or is refused", async () => {
    using project = temporaryProject();
    const definitions = await openDefinitions(project.dir);
    const text = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.string({
        minLength: 1,
        unit: fc.constantFrom(
          "\n",
          " ",
          "\t",
          ":",
          "#",
          "-",
          "'",
          '"',
          "\\",
          "é",
          "a",
          "|",
          ">",
          "%",
          "@",
          "\r",
          "\u2028",
          "\u{1F600}",
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.jsonValue({ maxDepth: 3 }), async (system, trait) => {
        const definition: AgentDefinition = { ...plain("p"), prompt: { system }, soul: { trait } };
        const created = await definitions.createAgent(definition);
        if (created.ok) {
          expect(definitions.agent("p")).toEqual(definition);
          expect((await definitions.deleteAgent("p", { context: true })).ok).toBe(true);
        } else {
          expect(created.error.code).toBe("invalid");
          expect(existsSync(join(project.dir, ".agents/p.yaml"))).toBe(false);
        }
      }),
      runs(60),
    );
  });

  it("[agent.create-exists] refuses a taken name, in any case, and overwrites nothing", async () => {
    using project = temporaryProject({ ".agents/alice.yaml": AGENT, ".agents/broken.yml": "[" });
    const definitions = await openDefinitions(project.dir);
    for (const name of ["alice", "ALICE", "broken", "Broken"]) {
      expect(await definitions.createAgent(plain(name))).toMatchObject({ ok: false, error: { code: "conflict" } });
    }
    expect(readFileSync(join(project.dir, ".agents/alice.yaml"), "utf8")).toBe(AGENT);
    expect(readdirSync(join(project.dir, ".agents")).toSorted()).toEqual(["alice.yaml", "broken.yml"]);
  });

  it("[agent.create-exists] of many at once under one name, one wins", async () => {
    using project = temporaryProject();
    const [one, two] = [await openDefinitions(project.dir), await openDefinitions(project.dir)];
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).createAgent({ ...plain("x"), maxSteps: index + 1 }),
      ),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = results.findIndex(({ ok }) => ok) + 1;
    await Promise.all([one.refresh(), two.refresh()]);
    expect([one.agent("x")?.maxSteps, two.agent("x")?.maxSteps]).toEqual([winner, winner]);
  });

  it.each(["../evil", "user", "", "a/b", "x".repeat(65)])("refuses the name %j", async (name) => {
    using project = temporaryProject();
    const definitions = await openDefinitions(project.dir);
    expect(await definitions.createAgent(plain(name))).toMatchObject({ ok: false, error: { code: "invalid" } });
    expect(readdirSync(project.dir)).toEqual([]);
  });

  it("refuses what a file could not say, with the reason", async () => {
    using project = temporaryProject();
    const definitions = await openDefinitions(project.dir);
    const created = await definitions.createAgent({ name: "x", prompt: { systemFile: "no.md" }, model: "auto" });
    expect(created).toMatchObject({
      ok: false,
      error: { code: "invalid", message: expect.stringContaining("does not exist") },
    });
    expect(await definitions.createAgent({ name: "y", prompt: { system: "Hi" } })).toMatchObject({ ok: false });
  });

  it("does not write through a link", async () => {
    using project = temporaryProject();
    using outside = temporaryProject();
    symlinkSync(outside.dir, join(project.dir, ".agents"));
    const definitions = await openDefinitions(project.dir);
    expect((await definitions.createAgent(plain("x"))).ok).toBe(false);
    expect(readdirSync(outside.dir)).toEqual([]);
  });

  it("adds the agent to a project file that lists them, and takes it out again, keeping comments", async () => {
    const listing = "# mine\nagents:\n  # the first\n  - .agents/a.yaml\nguard: { soul: { apply: ask } } # keep\n";
    using project = temporaryProject({ "moniro.yaml": listing, ".agents/a.yaml": AGENT });
    const definitions = await openDefinitions(project.dir);
    expect((await definitions.createAgent(plain("b"))).ok).toBe(true);
    expect(definitions.agents().map(({ name }) => name)).toEqual(["a", "b"]);
    expect(readFileSync(join(project.dir, "moniro.yaml"), "utf8")).toBe(
      listing.replace("a.yaml\n", "a.yaml\n  - .agents/b.yaml\n"),
    );
    expect((await definitions.deleteAgent("b", { context: true })).ok).toBe(true);
    expect(readFileSync(join(project.dir, "moniro.yaml"), "utf8")).toBe(listing);
  });
});

describe("deleting agents", () => {
  it("[agent.delete] removes the definition and the context, and nothing else", async () => {
    using project = temporaryProject({
      ".agents/a.yaml": AGENT,
      ".agents/a/memory/core.yaml": "x: 1",
      ".agents/b.yaml": AGENT,
      ".agents/b/notes/n.md": "n",
      "keep.md": "k",
    });
    symlinkSync(join(project.dir, "keep.md"), join(project.dir, ".agents/a/link.md"));
    const definitions = await openDefinitions(project.dir);
    expect(await definitions.deleteAgent("a", { context: true })).toEqual({ ok: true, value: undefined });
    expect(definitions.agent("a")).toBeUndefined();
    expect(readdirSync(join(project.dir, ".agents")).toSorted()).toEqual(["b", "b.yaml"]);
    expect(readFileSync(join(project.dir, "keep.md"), "utf8")).toBe("k");
    expect(await definitions.deleteAgent("b", { context: false })).toMatchObject({ ok: true });
    expect(existsSync(join(project.dir, ".agents/b/notes/n.md"))).toBe(true);
  });

  it("[agent.delete] takes from a chosen folder only what is the agent's", async () => {
    using project = temporaryProject({
      ".agents/a.yaml": `${AGENT}context: { dir: src }\n`,
      "src/main.ts": "code",
      "src/notes/n.md": "n",
    });
    const definitions = await openDefinitions(project.dir);
    await definitions.deleteAgent("a", { context: true });
    expect(readdirSync(join(project.dir, "src"))).toEqual(["main.ts"]);
  });

  it("removes a linked context folder without following it", async () => {
    using project = temporaryProject({ ".agents/a.yaml": AGENT });
    using outside = temporaryProject({ "memory/x": "x" });
    symlinkSync(outside.dir, join(project.dir, ".agents/a"));
    const definitions = await openDefinitions(project.dir);
    await definitions.deleteAgent("a", { context: true });
    expect(existsSync(join(project.dir, ".agents/a"))).toBe(false);
    expect(existsSync(join(outside.dir, "memory/x"))).toBe(true);
  });

  it("refuses an unknown agent and one that is written in the project file", async () => {
    using project = temporaryProject({
      "moniro.yaml": "agents:\n  - { name: a, model: auto, prompt: { system: Hi } }\n",
    });
    const definitions = await openDefinitions(project.dir);
    expect(await definitions.deleteAgent("b", { context: true })).toMatchObject({
      ok: false,
      error: { code: "not_found" },
    });
    expect(await definitions.deleteAgent("a", { context: true })).toMatchObject({
      ok: false,
      error: { code: "conflict" },
    });
    expect(definitions.agent("a")).toBeDefined();
  });
});

describe("ephemeral agents", () => {
  it("[agent.ephemeral-name] get the first free number", async () => {
    using project = temporaryProject({ ".agents/agent-2.yaml": AGENT });
    const definitions = await openDefinitions(project.dir);
    for (const expected of ["agent-1", "agent-3", "agent-4"]) {
      const name = definitions.nextEphemeralName();
      expect(name).toBe(expected);
      expect(definitions.addEphemeral(plain(name)).ok).toBe(true);
    }
    expect(definitions.removeEphemeral("agent-1")).toBe(true);
    expect(definitions.nextEphemeralName()).toBe("agent-1");
  });

  it("live in memory only, and survive a refresh", async () => {
    using project = temporaryProject();
    const definitions = await openDefinitions(project.dir);
    definitions.addEphemeral(plain("temp"));
    await definitions.refresh();
    expect(definitions.agent("temp")).toEqual(plain("temp"));
    expect(definitions.isEphemeral("temp")).toBe(true);
    expect(readdirSync(project.dir)).toEqual([]);
    expect((await openDefinitions(project.dir)).agent("temp")).toBeUndefined();
    expect(definitions.addEphemeral(plain("TEMP"))).toMatchObject({ ok: false, error: { code: "conflict" } });
  });

  it("[agent.promote] become files under a new name, once", async () => {
    using project = temporaryProject();
    const definitions = await openDefinitions(project.dir);
    definitions.addEphemeral({ ...plain("agent-1"), soul: { role: "tester" } });
    expect(await definitions.promote("agent-1", "alice")).toEqual({ ok: true, value: { file: ".agents/alice.yaml" } });
    expect(definitions.agents()).toEqual([{ ...plain("alice"), soul: { role: "tester" } }]);
    expect(definitions.isEphemeral("agent-1")).toBe(false);
    expect(await definitions.promote("agent-1", "bob")).toMatchObject({ ok: false, error: { code: "not_found" } });
  });

  it("[agent.promote] stay when the new name is taken", async () => {
    using project = temporaryProject({ ".agents/alice.yaml": AGENT });
    const definitions = await openDefinitions(project.dir);
    definitions.addEphemeral(plain("agent-1"));
    expect((await definitions.promote("agent-1", "alice")).ok).toBe(false);
    expect(definitions.isEphemeral("agent-1")).toBe(true);
    expect((await definitions.promote("agent-1", "agent-1")).ok).toBe(true);
    expect(definitions.isEphemeral("agent-1")).toBe(false);
  });
});

describe("refreshing", () => {
  it("sees files that appear, change, break, heal and go", async () => {
    using project = temporaryProject({ ".agents/a.yaml": AGENT });
    const definitions = await openDefinitions(project.dir);
    const write = (text: string): void => writeFileSync(join(project.dir, ".agents/a.yaml"), text);
    const after = async (): Promise<string | undefined> => {
      await definitions.refresh();
      return definitions.agent("a")?.model;
    };
    write("model: openai/one\nprompt: { system: Hi }\n");
    expect(await after()).toBe("openai/one");
    write("model: [\n");
    expect(await after()).toBeUndefined();
    expect(definitions.problems()).toHaveLength(1);
    write(AGENT);
    expect(await after()).toBe("auto");
    expect(definitions.problems()).toEqual([]);
    rmSync(join(project.dir, ".agents/a.yaml"));
    expect(await after()).toBeUndefined();
    mkdirSync(join(project.dir, ".workflows"));
    writeFileSync(join(project.dir, ".workflows/w.yaml"), "agents: { x: { backend: mock, system_prompt: Hi } }\n");
    await definitions.refresh();
    expect(definitions.workflows().map(({ name }) => name)).toEqual(["w"]);
    expect(definitions.workflow("w")?.agents).toHaveProperty("x");
  });

  it("sees changed defaults in files that did not change, and a prompt file that appears", async () => {
    using project = temporaryProject({
      ".agents/a.yaml": AGENT,
      ".agents/b.yaml": "model: auto\nprompt: { system_file: p.md }\n",
      "moniro.yaml": "defaults: { max_steps: 1 }\n",
    });
    const definitions = await openDefinitions(project.dir);
    expect([definitions.agent("a")?.maxSteps, definitions.agent("b")]).toEqual([1, undefined]);
    writeFileSync(join(project.dir, "moniro.yaml"), "defaults: { max_steps: 2 }\n");
    writeFileSync(join(project.dir, ".agents/p.md"), "Hi");
    await definitions.refresh();
    expect([definitions.agent("a")?.maxSteps, definitions.agent("b")?.maxSteps]).toEqual([2, 2]);
    expect(definitions.settings().defaults).toEqual({ maxSteps: 2 });
  });

  it("never lets an older scan hide a newer agent", async () => {
    using project = temporaryProject(
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`.agents/a${i}.yaml`, AGENT])),
    );
    const definitions = await openDefinitions(project.dir);
    const work = Array.from({ length: 8 }, (_, i) => [
      definitions.refresh(),
      definitions.createAgent(plain(`new${i}`)),
      definitions.refresh(),
    ]);
    await Promise.all(work.flat());
    expect(definitions.agents()).toHaveLength(68);
  });

  it("writes the schemas the modelines point at", async () => {
    using project = temporaryProject();
    expect((await writeSchemas(project.dir)).ok).toBe(true);
    expect((await writeSchemas(project.dir)).ok).toBe(true);
    expect(readdirSync(join(project.dir, ".agents/.schema")).toSorted()).toEqual([
      ".gitattributes",
      "agent.json",
      "project.json",
      "workflow.json",
    ]);
  });
});
