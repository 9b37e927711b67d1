import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ENGINE_NAMES } from "../../../src/domain/agent/engines.ts";
import { DEFINITION_KINDS, jsonSchema, modeline } from "../../../src/files/definitions/schema/json-schema.ts";
import { readSystemPrompt } from "../../../src/files/definitions/system-prompt-file.ts";
import { loadProject } from "../../../src/files/project/load-project.ts";
import { accepts } from "../../fixtures/definitions/draft7.ts";
import { loadText, temporaryProject } from "../../fixtures/definitions/load-text.ts";

const FIXTURE = fileURLToPath(new URL("../../fixtures/definitions/project/", import.meta.url));
const AGENT = "model: auto\nprompt: { system: Hello. }\n";
const WORKFLOW =
  "agents:\n  bob: { backend: mock, prompt: { system: Hi } }\n  eve: { backend: mock, prompt: { system: Hi } }\n";

const agentOf = async (text: string) => {
  const { agents, problems } = await loadText("agent", text);
  expect(problems).toEqual([]);
  return agents.get("subject")?.definition;
};
const workflowOf = async (text: string) => {
  const { workflows, problems } = await loadText("workflow", text);
  expect(problems).toEqual([]);
  return [...workflows.values()][0]?.definition;
};

describe("a file with every key", () => {
  it("[agent.file] [agent.runtime-keys] [agent.soul-open] is read as an agent", async () => {
    const { agents, problems } = await loadProject(FIXTURE);
    expect(problems).toEqual([]);
    expect(agents.get("alice")?.definition).toEqual({
      name: "alice",
      model: "anthropic/claude-sonnet-4-5",
      backend: "sdk",
      provider: { name: "anthropic", baseUrl: "https://proxy.example.com/v1", apiKeyEnv: "ANTHROPIC_API_KEY" },
      prompt: { system: "You are Alice, a senior reviewer.\nYou are brief.\n" },
      soul: {
        role: "code-reviewer",
        expertise: ["typescript", "testing"],
        style: "thorough but kind",
        principles: ["Explain the why"],
        mottos: { first: "measure" },
      },
      contextDir: ".agents/alice",
      memory: { budget: 2000, autoLoad: true, search: true, archive: false },
      maxTokens: 8000,
      maxSteps: 20,
      timeoutMs: 300_000,
      schedule: {
        wakeup: "0 9 * * 1-5",
        prompt: "Check for pending reviews",
        workspace: "review:pr-1",
        timeZone: "Europe/Berlin",
      },
      tools: ["read_file", "channel_send"],
      mcpServers: {
        files: {
          command: "npx",
          args: ["-y", "some-server"],
          env: { LEVEL: "3", VERBOSE: "true", TOKEN: "$FILES_TOKEN" },
          cwd: "tools",
        },
        web: { url: "https://mcp.example.com/mcp", headers: { Authorization: "Bearer $WEB_TOKEN" } },
      },
      permissions: { mode: "project", allow: ["grep"], ask: ["write_file"], deny: ["rm"] },
      budget: { tokens: 100_000, turns: 50, hops: 12, costUsd: 1.5, wallTimeMs: 5_400_000 },
      env: { LANG: "C", NODE_ENV: "test", RETRIES: "3" },
      cwd: "packages/app",
      worktree: { of: "agent" },
    });
  });

  it("[workflow.entry-kinds] [workflow.workspace-keys] is read as a workflow", async () => {
    const { workflows } = await loadProject(FIXTURE);
    const review = workflows.get("review")?.definition;
    expect(Object.keys(review?.agents ?? {})).toEqual(["alice", "bob", "carol", "aide", "scribe"]);
    expect(review?.agents["alice"]).toEqual({ kind: "ref", ref: "alice" });
    expect(review?.agents["bob"]).toEqual({
      kind: "ref",
      ref: "bob",
      promptAppend: "Focus on speed. When done, notify @alice.\n",
      model: "gpt-5",
      backend: "codex",
      maxTokens: 16_000,
      timeoutMs: 90_000,
    });
    expect(review?.agents["carol"]).toEqual({ kind: "ref", ref: "carol" });
    expect(review?.agents["aide"]).toMatchObject({ kind: "inline", model: "auto", soul: { role: "helper" } });
    expect(review?.agents["scribe"]).toMatchObject({ prompt: { system: "You keep the notes.md file tidy.\n" } });
    expect(review?.workspace).toEqual({
      provider: "file",
      documents: "file",
      channel: true,
      bind: "data/${{ workflow.name }}/${{ workflow.tag }}",
      documentOwner: "scribe",
      mirrored: true,
      channelFile: "talk.md",
      documentFile: "findings.md",
    });
    expect(review?.params).toEqual([
      { name: "base", type: "string", required: false, description: "Branch to compare with", default: "main" },
      { name: "depth", type: "number", required: true },
      { name: "mode", type: "string", required: false, choices: ["fast", "slow"], default: "fast" },
      { name: "note", type: "string", required: false },
    ]);
    expect(review?.setup).toEqual([
      { shell: "git diff ${{ params.base }}...HEAD", as: "changes", cwd: "packages", timeoutMs: 30_000 },
      { shell: "wc -l" },
    ]);
    expect(review?.kickoff).toContain("${{ changes }}");
    expect(review?.budget).toEqual({ hops: 20, wallTimeMs: 7_200_000 });
    expect(review?.guard).toEqual({ soul: { observe: false } });
  });

  it("[workflow.inline-old-files] [workflow.context-old] is read in the old spelling", async () => {
    const { workflows } = await loadProject(FIXTURE);
    const old = workflows.get("old")?.definition;
    expect(old?.agents["reviewer"]).toMatchObject({ kind: "inline", prompt: { systemFile: "prompts/carol.md" } });
    expect(old?.workspace).toEqual({
      provider: "sqlite",
      documents: "sqlite",
      channel: true,
      bind: ".workflow/${{ instance }}",
      documentOwner: "reviewer",
      mirrored: false,
      channelFile: "channel.md",
      documentFile: "workspace.md",
    });
    expect(old?.params).toEqual([
      { name: "pr", type: "number", required: false, description: "Number of the pull request", default: 7 },
    ]);
  });
});

describe("agents", () => {
  it.each(ENGINE_NAMES.filter((engine) => engine !== "sdk" && engine !== "acp"))(
    "[agent.model-needed] [agent.backends] %s needs no model",
    async (backend) => {
      expect(await agentOf(`backend: ${backend}\nprompt: { system: Hi }\n`)).toMatchObject({ backend });
    },
  );

  it.each(["auto", "anthropic/claude-sonnet-4-5", "openai:gpt-5"])("keeps the model %s as written", async (model) => {
    expect(await agentOf(`model: ${model}\nprompt: { system: Hi }\n`)).toMatchObject({ model });
  });

  it("keeps what a program of its own calls a model", async () => {
    const agent = await agentOf("model: sonnet\nbackend: claude\nprompt: { system: Hi }\n");
    expect(agent).toMatchObject({ model: "sonnet" });
  });

  it.each([["$KEY"], ["${KEY}"], ["${{ env.KEY }}"]])("[agent.provider] takes the key from %s", async (written) => {
    const agent = await agentOf(`${AGENT}provider: { name: openai, api_key: "${written}" }\n`);
    expect(agent?.provider).toEqual({ name: "openai", apiKeyEnv: "KEY" });
  });

  it("[agent.provider] takes a name alone", async () => {
    expect((await agentOf(`${AGENT}provider: mistral\n`))?.provider).toEqual({ name: "mistral" });
  });

  it("[agent.name-key] prefers the name in the file to the name of the file", async () => {
    expect((await loadText("agent", `name: other\n${AGENT}`)).agents.has("other")).toBe(true);
    expect((await loadText("agent", AGENT)).agents.has("subject")).toBe(true);
  });

  it("[agent.system-file] [agent.system-prompt-old] finds a prompt file beside the definition first, then in the project", async () => {
    using project = temporaryProject({
      "near.md": "far",
      ".agents/near.md": "near",
      "prompts/far.txt": "far",
      ".agents/a.yaml": "model: auto\nprompt: { system_file: ./near.md }\n",
      ".agents/b.yaml": "model: auto\nsystem_prompt: prompts/far.txt\n",
      ".agents/c.yaml": "model: auto\nsystem_prompt: Read notes.md\n",
      ".agents/d.yaml": "model: auto\nprompt: { system_file: ../near.md }\n",
    });
    const { agents, problems } = await loadProject(project.dir);
    expect(problems).toEqual([]);
    const prompts = [...agents.values()].map(({ definition }) => definition.prompt);
    expect(prompts).toEqual([
      { systemFile: ".agents/near.md" },
      { systemFile: "prompts/far.txt" },
      { system: "Read notes.md" },
      { systemFile: "near.md" },
    ]);
    const texts = prompts.map((prompt) => readSystemPrompt(project.dir, prompt));
    expect(texts.map((text) => text.ok && text.value)).toEqual(["near", "far", "Read notes.md", "far"]);
  });

  it("[agent.context-dir] normalises the folder of the personal context", async () => {
    expect(await agentOf(`${AGENT}context: { dir: ./people/x/ }\n`)).toMatchObject({ contextDir: "people/x" });
    expect(await agentOf(`${AGENT}context: {}\n`)).not.toHaveProperty("contextDir");
  });
});

describe("workflows", () => {
  const base = {
    provider: "sqlite",
    documents: "file",
    channel: true,
    mirrored: false,
    channelFile: "channel.md",
    documentFile: "notes.md",
  };

  it.each([
    ["nothing", "", {}],
    ["an empty context", "context:\n", {}],
    ["context: true", "context: true\n", {}],
    ["an empty channel and document", "context:\n  channel:\n  document:\n", {}],
    ["only a channel", "context: { channel: true }\n", {}],
    ["the old folder", "context: { dir: ./my-context/ }\n", { bind: "my-context" }],
    [
      "a folder with the instance",
      "context: { dir: '.workflow/${{ instance }}/' }\n",
      { bind: ".workflow/${{ instance }}" },
    ],
    [
      "the file provider",
      "context: { provider: file, config: { dir: x } }\n",
      { provider: "file", mirrored: true, bind: "x" },
    ],
    [
      "a file for the channel",
      "workspace: { channel: { file: talk.md } }\n",
      { mirrored: true, channelFile: "talk.md" },
    ],
    ["a file for the channel, told to the agents", "kickoff: '@bob: ${{ context.channel }}'\n", { mirrored: true }],
    ["an owner", "context: { documentOwner: bob }\n", { documentOwner: "bob" }],
    ["an election", "workspace: { documentOwner: elect }\n", { documentOwner: "elect" }],
    ["the memory provider", "workspace: { provider: memory }\n", { provider: "memory", documents: "sqlite" }],
    ["dir as bind", "workspace: { dir: data }\n", { bind: "data" }],
    ["sqlite documents", "workspace: { documents: sqlite }\n", { documents: "sqlite" }],
  ])("[workflow.context-old] takes %s", async (_, text, expected) => {
    expect((await workflowOf(WORKFLOW + text))?.workspace).toEqual({ ...base, ...expected });
  });

  it.each(["context: false\n", "workspace: false\n"])("[workflow.context-off] takes %s", async (text) => {
    expect((await workflowOf(WORKFLOW + text))?.workspace.channel).toBe(false);
  });

  it("warns about the old database key and goes on", async () => {
    const { workflows, problems } = await loadText("workflow", `${WORKFLOW}context: { config: { db: x.db } }\n`);
    expect(problems).toMatchObject([{ severity: "warning", line: 4, column: 22 }]);
    expect(workflows.has("subject")).toBe(true);
  });

  it("[workflow.name-default] [workflow.kickoff-optional] [workflow.agents-required] needs agents and nothing more", async () => {
    const workflow = await workflowOf("agents: { a: { backend: mock, system_prompt: Hi } }\n");
    expect(workflow).toMatchObject({ name: "subject", params: [], setup: [] });
    expect(workflow).not.toHaveProperty("kickoff");
    expect(await workflowOf(`name: code-review\n${WORKFLOW}`)).toMatchObject({ name: "code-review" });
  });

  it("[agent.inline] keeps the agents of a workflow to it", async () => {
    const { agents, workflows } = await loadText("workflow", WORKFLOW);
    expect(agents.size).toBe(0);
    expect(workflows.get("subject")?.definition.agents["bob"]).toEqual({
      kind: "inline",
      backend: "mock",
      prompt: { system: "Hi" },
    });
  });

  it("leaves placeholders in prompts alone", async () => {
    const text = "agents:\n  a: { backend: mock, prompt: { system: 'Use ${{ secrets.X }}' } }\n";
    expect((await workflowOf(text))?.agents["a"]).toMatchObject({ prompt: { system: "Use ${{ secrets.X }}" } });
  });
});

describe("[workflow.schema] JSON Schemas", () => {
  const read = (file: string): unknown => parse(readFileSync(`${FIXTURE}${file}`, "utf8"));

  it.each(DEFINITION_KINDS)("the one of a %s is draft 7 and describes every key", (kind) => {
    const schema = jsonSchema(kind);
    expect(schema).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#", type: "object" });
    expect(undescribed(schema)).toEqual([]);
    expect(modeline(kind)).toMatch(/^# yaml-language-server: \$schema=\S+$/u);
  });

  it.each([
    ["agent", ".agents/alice.yaml"],
    ["agent", ".agents/bob.yml"],
    ["agent", ".agents/carol.yaml"],
    ["workflow", ".workflows/review.yaml"],
    ["workflow", ".workflows/old.yaml"],
    ["workflow", "teams/deploy.yaml"],
    ["project", "moniro.yaml"],
  ] as const)("%s accepts %s", (kind, file) => {
    expect(accepts(jsonSchema(kind), read(file))).toBe(true);
  });

  it.each([
    ["agent", { model: "x" }],
    ["agent", { model: "x", prompt: { system: "a", system_file: "b" } }],
    ["agent", { model: "x", prompt: { system: "a" }, modle: 1 }],
    ["workflow", { agents: { a: { ref: "a", soul: {} } } }],
    ["workflow", { agents: { a: { ref: "a", prompt: { system: "x" } } } }],
    ["workflow", { agents: { a: { model: "x" } } }],
    ["workflow", {}],
    ["project", { agents: "alice" }],
  ] as const)("%s refuses what the loader refuses: %j", (kind, value) => {
    expect(accepts(jsonSchema(kind), value)).toBe(false);
  });
});

/** Paths of properties without a description. */
function undescribed(schema: unknown, path = ""): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => {
    if (key !== "properties" || typeof inner !== "object" || inner === null)
      return undescribed(inner, `${path}/${key}`);
    return Object.entries(inner).flatMap(([name, field]) => [
      ...(typeof field === "object" && field !== null && "description" in field ? [] : [`${path}/${name}`]),
      ...undescribed(field, `${path}/${name}`),
    ]);
  });
}
