import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findProject } from "../../../src/files/project/find-project.ts";
import { createFileCache, loadProject } from "../../../src/files/project/load-project.ts";
import { loadWorkflowFile } from "../../../src/files/project/load-workflow-file.ts";
import { temporaryProject } from "../../fixtures/definitions/load-text.ts";

const FIXTURE = fileURLToPath(new URL("../../fixtures/definitions/project/", import.meta.url));
const AGENT = "model: auto\nprompt: { system: Hello. }\n";
const MOCK = "backend: mock\nprompt: { system: Hello. }\n";

const DAY_MS = 86_400_000;

describe("finding a project", () => {
  it.each([
    ["moniro.yaml", { "moniro.yaml": "{}" }],
    [".agents.yaml", { ".agents.yaml": "{}" }],
    [".workflows/", { ".workflows/x.yaml": "" }],
    [".agents/", { ".agents/x.yaml": "" }],
  ])("[project.find-root] goes up to the folder with %s", (_, files) => {
    using project = temporaryProject({ ...files, "src/deep/er/file.ts": "" });
    expect(findProject(join(project.dir, "src/deep/er"))).toBe(project.dir);
    expect(findProject(join(project.dir, "src/deep/er/file.ts"))).toBe(project.dir);
  });

  it("takes the nearest one, and passes over a folder that has only skills", () => {
    using project = temporaryProject({
      "moniro.yaml": "{}",
      "inner/.agents/a.yaml": "",
      "inner/x/y": "",
      "other/.agents/skills/s/SKILL.md": "",
    });
    expect(findProject(join(project.dir, "inner/x"))).toBe(join(project.dir, "inner"));
    expect(findProject(join(project.dir, "other"))).toBe(project.dir);
  });

  it("gives one name to a project reached through a link, and the folder itself when there is none", () => {
    using project = temporaryProject({ "real/.agents/a.yaml": "", "bare/x": "" });
    symlinkSync(join(project.dir, "real"), join(project.dir, "alias"));
    expect(findProject(join(project.dir, "alias"))).toBe(join(project.dir, "real"));
    expect(findProject(join(project.dir, "bare"))).toBe(join(project.dir, "bare"));
  });
});

describe("without a project file", () => {
  it("[project.discovery] [agent.skills-folder] finds the files of the two folders and nothing else", async () => {
    using project = temporaryProject({
      ".agents/a.yaml": AGENT,
      ".agents/b.yml": AGENT,
      ".agents/.hidden.yaml": "[",
      ".agents/README.md": "[",
      ".agents/skills/demo/skill.yaml": "[",
      ".agents/a/memory/core.yaml": "[",
      ".workflows/w.yaml": "agents: { a: a }\n",
      "other.yaml": "[",
    });
    mkdirSync(join(project.dir, ".agents/folder.yaml"));
    const { agents, workflows, problems } = await loadProject(project.dir);
    expect(problems).toEqual([]);
    expect([...agents.keys()]).toEqual(["a", "b"]);
    expect([...workflows.keys()]).toEqual(["w"]);
  });

  it("an empty folder is a project without anything", async () => {
    using project = temporaryProject();
    const { agents, workflows, problems, settings } = await loadProject(project.dir);
    expect([agents.size, workflows.size, problems.length]).toEqual([0, 0, 0]);
    expect(settings).toEqual({
      workspace: { provider: "sqlite", base: ".workspace", documents: "file" },
      context: { provider: "file" },
      defaults: {},
      store: { provider: "sqlite", path: ".workspace/agent-worker.db" },
      guard: { soul: { observe: true, apply: "ask" } },
      prices: {},
      retention: {
        transcriptsMs: 30 * DAY_MS,
        eventsMs: 14 * DAY_MS,
        workspacesMs: 90 * DAY_MS,
        deadLettersMs: null,
      },
    });
  });

  it("says how long old data stays, and where that cannot be read", async () => {
    using project = temporaryProject({
      "moniro.yaml": "retention: { transcripts: 7d, events: never, workspaces: soon }\n",
    });
    const { problems, settings } = await loadProject(project.dir);
    expect(settings.retention).toEqual({
      transcriptsMs: 7 * DAY_MS,
      eventsMs: null,
      workspacesMs: 90 * DAY_MS,
      deadLettersMs: null,
    });
    expect(problems).toMatchObject([{ file: "moniro.yaml", path: ["retention", "workspaces"] }]);
  });

  it("[project.broken-file] loads what is good beside what is broken", async () => {
    using project = temporaryProject({
      ".agents/bad.yaml": "model: [\n",
      ".agents/good.yaml": AGENT,
      ".workflows/bad.yaml": "agents: 3\n",
      ".workflows/good.yaml": "agents: { good: good }\n",
    });
    const { agents, workflows, problems } = await loadProject(project.dir);
    expect([[...agents.keys()], [...workflows.keys()]]).toEqual([["good"], ["good"]]);
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual([
      ".agents/bad.yaml:2",
      ".workflows/bad.yaml:1",
    ]);
  });

  it("[agent.duplicate] refuses a second agent of one name and says where both are", async () => {
    using project = temporaryProject({ ".agents/a.yaml": AGENT, ".agents/b.yaml": `# second\nname: A\n${AGENT}` });
    const { agents, problems } = await loadProject(project.dir);
    expect([...agents.keys()]).toEqual(["a"]);
    expect(problems).toMatchObject([{ file: ".agents/b.yaml", line: 2, column: 7 }]);
    expect(problems[0]?.message).toBe('The agent "A" is already defined as "a" at .agents/a.yaml:1:1.');
  });

  it("refuses two agents that share a personal context", async () => {
    using project = temporaryProject({
      ".agents/a.yaml": AGENT,
      ".agents/b.yaml": `${AGENT}context: { dir: .agents/A }\n`,
    });
    const { problems } = await loadProject(project.dir);
    expect(problems).toMatchObject([{ file: ".agents/b.yaml", line: 3, column: 17 }]);
  });

  it("points at a ref that leads nowhere and suggests the agents there are", async () => {
    using project = temporaryProject({
      ".agents/alice.yaml": AGENT,
      ".workflows/w.yaml": "agents:\n  a: { ref: alcie }\n  b: bob\n",
    });
    const { problems, workflows } = await loadProject(project.dir);
    expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual(["2:13", "3:6"]);
    expect(problems[0]?.hint).toContain('"alice"');
    expect(workflows.has("w")).toBe(true);
  });

  it("[engine.mock-script] checks the scripts of agents on the mock engine, wherever one is named, and each once", async () => {
    using project = temporaryProject({
      "scripts/bad.yaml": "- steps:\n    - sya: hello\n",
      "scripts/good.yaml": "- steps: []\n",
      ".agents/a.yaml": `model: scripts/bad.yaml\n${MOCK}`,
      ".agents/b.yaml": `${MOCK}model: ./scripts/gone.yaml\n`,
      ".agents/d.yaml": `model: scripts/good.yaml\n${MOCK}`,
      ".agents/e.yaml": `model: auto\nprompt: { system: Hello. }\n`,
      ".workflows/w.yaml": [
        "agents:",
        "  a: a",
        "  d: { ref: d, model: scripts/bad.yaml }",
        "  e: { ref: e, backend: mock, model: scripts/none.yaml }",
        "  c: { ref: d, model: scripts/../../bad.yaml }",
        "  f: { backend: mock, model: scripts/nope.yaml, prompt: { system: Hi } }",
      ].join("\n"),
    });
    const { agents, workflows, problems } = await loadProject(project.dir);
    expect([agents.size, workflows.size]).toEqual([4, 1]);
    expect(problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)).toEqual([
      '.workflows/w.yaml:5:23 "scripts/../../bad.yaml" is not inside the project.',
      expect.stringMatching(/^scripts\/bad\.yaml:2:7 .*sya/),
      '.agents/b.yaml:3:8 There is no file "scripts/gone.yaml".',
      '.workflows/w.yaml:4:38 There is no file "scripts/none.yaml".',
      '.workflows/w.yaml:6:30 There is no file "scripts/nope.yaml".',
    ]);
  });

  it("sees that a script was corrected, although the agent's file was not touched", async () => {
    using project = temporaryProject({ "s.yaml": "say: hello\n", ".agents/a.yaml": `model: s.yaml\n${MOCK}` });
    const cache = createFileCache();
    expect((await loadProject(project.dir, { cache })).problems).toMatchObject([{ file: "s.yaml", line: 1 }]);
    writeFileSync(join(project.dir, "s.yaml"), "- steps: []\n");
    expect((await loadProject(project.dir, { cache })).problems).toEqual([]);
    writeFileSync(join(project.dir, "s.yaml"), "- steps: 3\n");
    expect((await loadProject(project.dir, { cache })).problems).toMatchObject([{ file: "s.yaml", line: 1 }]);
  });

  it("[project.opening-inert] runs nothing and leaves no trace", async () => {
    using project = temporaryProject({
      ".agents/a.yaml": `backend: acp\ncommand: [touch, ran]\nprompt: { system: Hi }\nmcp_servers: { m: { command: touch, args: [ran] } }\n`,
      ".workflows/w.yaml": "agents: { a: a }\nsetup: [{ shell: touch ran }]\n",
    });
    expect((await loadProject(project.dir)).problems).toEqual([]);
    expect(readdirSync(project.dir, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      ".agents",
      ".agents/a.yaml",
      ".workflows",
      ".workflows/w.yaml",
    ]);
  });
});

describe("with a project file", () => {
  it("[project.config] loads what it lists, under the names it gives", async () => {
    const { agents, workflows, problems } = await loadProject(FIXTURE);
    expect(problems).toEqual([]);
    expect([...agents.keys()]).toEqual(["alice", "bob", "carol", "helper"]);
    expect([...workflows.keys()]).toEqual(["review", "old", "deploy"]);
    expect(workflows.get("deploy")?.definition.name).toBe("deploy");
  });

  it("[project.config-workspace] gives its workspace settings to workflows that have none", async () => {
    const { workflows, settings } = await loadProject(FIXTURE);
    expect(settings.workspace).toEqual({ provider: "file", base: ".workspace", documents: "file" });
    expect(workflows.get("deploy")?.definition.workspace.provider).toBe("file");
    expect(workflows.get("old")?.definition.workspace.provider).toBe("sqlite");
  });

  it("[check.default-provider] gives the default provider to agents with a model of their own, unless it names another", async () => {
    using project = temporaryProject({
      "moniro.yaml": "defaults: { provider: { name: openai-compatible, base_url: http://127.0.0.1:1 } }\n",
      ".agents/a.yaml": "model: my-model\nprompt: { system: Hi }\n",
      ".agents/b.yaml": "model: openai/gpt-5\nprompt: { system: Hi }\n",
      ".workflows/w.yaml": "agents:\n  a: { ref: a, model: openai/gpt-5 }\n",
    });
    const { agents, problems } = await loadProject(project.dir);
    expect(problems).toEqual([]);
    expect(agents.get("a")?.definition.provider).toEqual({ name: "openai-compatible", baseUrl: "http://127.0.0.1:1" });
    expect(agents.get("b")?.definition.provider).toBeUndefined();
  });

  it("[project.defaults] fills in what agents leave out, without overriding", async () => {
    const { agents } = await loadProject(FIXTURE);
    expect(agents.get("helper")?.definition).toMatchObject({ model: "anthropic/claude-haiku-4-5", maxTokens: 4000 });
    expect(agents.get("alice")?.definition).toMatchObject({ model: "anthropic/claude-sonnet-4-5", maxTokens: 8000 });
    expect(agents.get("alice")?.definition.budget).toMatchObject({ hops: 12, turns: 50 });
    expect(agents.get("bob")?.definition).not.toHaveProperty("model");
    expect(agents.get("bob")?.definition).not.toHaveProperty("provider");
  });

  it("[project.config] takes the other spelling, and refuses both at once", async () => {
    using project = temporaryProject({
      ".agents.yaml": "agents: [a.yaml]\n",
      "a.yaml": AGENT,
      ".agents/b.yaml": AGENT,
    });
    expect([...(await loadProject(project.dir)).agents.keys()]).toEqual(["a"]);
    using twice = temporaryProject({ ".agents.yaml": "{}\n", "moniro.yaml": "agents: []\n", ".agents/b.yaml": AGENT });
    const { agents, problems } = await loadProject(twice.dir);
    expect(agents.size).toBe(0);
    expect(problems).toMatchObject([{ file: ".agents.yaml", line: 1, column: 1 }]);
  });

  it("keeps consequences out of the problems when it cannot be read", async () => {
    const files = { ".agents/a.yaml": "prompt: { system: Hi }\n", ".agents/b.yaml": "promt: x\n" };
    using project = temporaryProject({ "moniro.yaml": "agents: [\n", ...files });
    const { agents, isRead, problems } = await loadProject(project.dir);
    expect({ isRead, agents: agents.size }).toEqual({ isRead: false, agents: 0 });
    expect([...new Set(problems.map(({ file }) => file))]).toEqual(["moniro.yaml", ".agents/b.yaml"]);
  });
});

describe("a workflow named by its file", () => {
  it("is read from inside and from outside the project", async () => {
    using project = temporaryProject({ "w/x.yaml": "agents: { a: a }\n" });
    using elsewhere = temporaryProject({
      "y.yaml": "agents: { a: a }\n",
      "bad.yaml": `agents: { a: { ${MOCK.replace("\n", ", ").trim()}, x: 1 } }\n`,
    });
    const { settings } = await loadProject(project.dir);
    expect(loadWorkflowFile(project.dir, "w/x.yaml", settings).loaded?.definition.name).toBe("x");
    expect(loadWorkflowFile(project.dir, join(elsewhere.dir, "y.yaml"), settings).loaded?.definition.name).toBe("y");
    expect(loadWorkflowFile(project.dir, join(elsewhere.dir, "bad.yaml"), settings).problems).toMatchObject([
      { line: 1 },
    ]);
    expect(loadWorkflowFile(project.dir, "none.yaml", settings).problems).toMatchObject([{ file: "none.yaml" }]);
  });
});
