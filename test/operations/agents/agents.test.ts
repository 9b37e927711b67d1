import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { createAgent } from "../../../src/operations/agents/create-agent.ts";
import { createEphemeralAgent } from "../../../src/operations/agents/create-ephemeral-agent.ts";
import { deleteAgent } from "../../../src/operations/agents/delete-agent.ts";
import { listAgents } from "../../../src/operations/agents/list-agents.ts";
import { promoteAgent } from "../../../src/operations/agents/promote-agent.ts";
import { showAgent } from "../../../src/operations/agents/show-agent.ts";
import { setMemory } from "../../../src/operations/memory/set-memory.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { addTodo } from "../../../src/operations/todos/add-todo.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { agentCaller } from "../../support/team/agent-caller.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";

const AGENT = "backend: mock\nprompt: { system: Hello. }\n";
const REVIEW = "agents:\n  alice: { ref: alice }\n  helper:\n    backend: mock\n    prompt: { system: Help. }\n";

const names = async (project: TestProject): Promise<string[]> =>
  (await callOk(project, person, listAgents, {})).agents.map(({ name }) => name);

describe("creating an agent", () => {
  it("[agent.create] writes a readable file and the folder of its context, and it is found at once", async () => {
    await using project = await openTestProject();
    const made = await callOk(project, person, createAgent, {
      name: "alice",
      model: "anthropic/claude-sonnet-4-5",
      system: "You review code.",
      role: "code-reviewer",
      expertise: ["typescript", "architecture"],
      style: "thorough",
      principles: ["Explain the why"],
      wakeup: "5m",
      wakeupPrompt: "Look for reviews",
      maxSteps: 20,
    });
    expect(made).toEqual({ name: "alice", file: ".agents/alice.yaml" });
    const text = readFileSync(join(project.dir, ".agents/alice.yaml"), "utf8");
    expect(text).toContain("system: You review code.");
    expect(text).toContain("role: code-reviewer");
    expect(existsSync(join(project.dir, ".agents/alice"))).toBe(true);
    expect(project.published).toMatchObject([{ type: "agent.created", agent: "alice", ephemeral: false }]);
    await callOk(project, person, sendMessage, { to: "alice", message: "hello" });

    await using again = await project.reopen();
    expect(await callOk(again, person, showAgent, { name: "alice" })).toMatchObject({
      model: "anthropic/claude-sonnet-4-5",
      backend: "sdk",
      prompt: { system: "You review code." },
      soul: {
        role: "code-reviewer",
        expertise: ["typescript", "architecture"],
        style: "thorough",
        principles: ["Explain the why"],
      },
      schedule: { wakeup: "5m", prompt: "Look for reviews" },
      maxSteps: 20,
    });
  });

  it("takes its prompt from a file of the project, and from nowhere else", async () => {
    await using project = await openTestProject({ files: { "prompts/alice.md": "You are Alice." } });
    await callOk(project, person, createAgent, { name: "alice", backend: "mock", systemFile: "prompts/alice.md" });
    expect((await callOk(project, person, showAgent, { name: "alice" })).prompt).toEqual({
      systemFile: "prompts/alice.md",
    });
    for (const systemFile of ["../outside.md", "/etc/passwd", "prompts/missing.md"]) {
      const refusal = await callRefused(project, person, createAgent, { name: "bob", backend: "mock", systemFile });
      expect(refusal.code, systemFile).toBe("invalid");
    }
    expect(readdirSync(join(project.dir, ".agents")).sort()).toEqual([".schema", "alice", "alice.yaml"]);
  });

  it("gives an agent without a prompt the plainest one", async () => {
    await using project = await openTestProject();
    await callOk(project, person, createAgent, { name: "alice", model: "auto" });
    expect((await callOk(project, person, showAgent, { name: "alice" })).prompt).toEqual({ system: "You are alice." });
  });

  it("[agent.create-exists] overwrites nothing, in whatever case the name is taken", async () => {
    await using project = await openTestProject({
      files: { ".agents/alice.yaml": AGENT, ".agents/bob.yaml": "broken: [" },
    });
    await callOk(project, person, createEphemeralAgent, { name: "scout", backend: "mock" });
    for (const name of ["alice", "Alice", "bob", "scout"]) {
      const refusal = await callRefused(project, person, createAgent, { name, backend: "mock" });
      expect(refusal.code, name).toBe("conflict");
    }
    expect(readFileSync(join(project.dir, ".agents/alice.yaml"), "utf8")).toBe(AGENT);
    expect(readFileSync(join(project.dir, ".agents/bob.yaml"), "utf8")).toBe("broken: [");
    expect(project.published).toHaveLength(1);
  });

  it("refuses what could never run, before anything is written", async () => {
    await using project = await openTestProject();
    const refusals = [
      await callRefused(project, person, createAgent, { name: "alice" }),
      await callRefused(project, person, createAgent, { name: "user", backend: "mock" }),
      await callRefused(project, person, createAgent, { name: "../alice", backend: "mock" }),
      await callRefused(project, person, createAgent, { name: "alice", model: "two words" }),
      await callRefused(project, person, createAgent, { name: "alice", backend: "mock", wakeup: "sometimes" }),
      await callRefused(project, person, createAgent, { name: "alice", backend: "mock", wakeupPrompt: "Wake" }),
      await callRefused(project, person, createAgent, { name: "alice", backend: "mock", system: "a", systemFile: "b" }),
      // A program to run is named in a file, never in a request
      await callRefused(project, person, createAgent, { name: "alice", backend: "acp" }),
      await callRefused(project, person, createEphemeralAgent, { name: "alice" }),
      await callRefused(project, person, createEphemeralAgent, { name: "all", backend: "mock" }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => "invalid"));
    expect(refusals[0]?.message).toBe("alice has no model, and the sdk engine needs one.");
    expect(existsSync(join(project.dir, ".agents"))).toBe(false);
    expect(project.published).toEqual([]);
  });
});

describe("an ephemeral agent", () => {
  it("[agent.ephemeral-name] is called agent-N, with the first free number", async () => {
    await using project = await openTestProject({ files: { ".agents/agent-2.yaml": AGENT } });
    const made = [];
    for (let count = 0; count < 3; count += 1) {
      made.push((await callOk(project, person, createEphemeralAgent, { backend: "mock" })).name);
    }
    expect(made).toEqual(["agent-1", "agent-3", "agent-4"]);
    await callOk(project, person, deleteAgent, { name: "agent-3" });
    expect(await callOk(project, person, createEphemeralAgent, { backend: "mock" })).toEqual({
      name: "agent-3",
      file: null,
    });
  });

  it("keeps its schedule in its definition, writes no file, and is gone after a restart", async () => {
    const first = await openTestProject();
    await callOk(first, person, createEphemeralAgent, { backend: "mock", wakeup: "10m", wakeupPrompt: "Look around" });
    const shown = await callOk(first, person, showAgent, { name: "agent-1" });
    expect(shown).toMatchObject({ source: "ephemeral", context: null });
    expect(shown.schedule).toMatchObject({ wakeup: "10m", prompt: "Look around" });
    expect(existsSync(join(first.dir, ".agents"))).toBe(false);
    expect(first.published).toMatchObject([{ type: "agent.created", agent: "agent-1", ephemeral: true }]);
    await using project = await first.reopen();
    expect(await names(project)).toEqual([]);
  });

  it("is taken back when its creation could not be recorded", async () => {
    await using project = await openTestProject();
    await project.store[Symbol.asyncDispose]();
    await expect(project.system.propose(person, createEphemeralAgent, { backend: "mock" })).rejects.toThrow("closed");
    expect(project.definitions.agents()).toEqual([]);
    expect(project.published).toEqual([]);
  });

  it("[agent.promote] becomes a file under the new name, with everything it was given", async () => {
    await using project = await openTestProject();
    const settings = { backend: "mock", system: "Scout.", role: "scout", wakeup: "10m" } as const;
    await callOk(project, person, createEphemeralAgent, settings);
    expect(await callOk(project, person, promoteAgent, { from: "agent-1", name: "alice" })).toEqual({
      name: "alice",
      file: ".agents/alice.yaml",
      from: "agent-1",
    });
    expect(await names(project)).toEqual(["alice"]);
    expect(project.published.at(-1)).toMatchObject({ type: "agent.promoted", agent: "alice", from: "agent-1" });
    await using again = await project.reopen();
    expect(await callOk(again, person, showAgent, { name: "alice" })).toMatchObject({
      source: "file",
      prompt: { system: "Scout." },
      soul: { role: "scout" },
      schedule: { wakeup: "10m" },
    });
  });

  it("stays as it is when it cannot be promoted", async () => {
    await using project = await openTestProject({ files: { ".agents/alice.yaml": AGENT } });
    await callOk(project, person, createEphemeralAgent, { backend: "mock" });
    expect((await callRefused(project, person, promoteAgent, { from: "agent-1", name: "alice" })).code).toBe(
      "conflict",
    );
    expect((await callRefused(project, person, promoteAgent, { from: "alice", name: "bob" })).code).toBe("not_found");
    expect(await names(project)).toEqual(["agent-1", "alice"]);
    expect(project.published).toHaveLength(1);
  });
});

describe("the agents of a project", () => {
  it("[agent.list] [agent.attachment-state] are listed with source, engine, model, state and what waits", async () => {
    await using project = await openTestProject({
      files: {
        ".agents/alice.yaml": `model: anthropic/claude-sonnet-4-5\nprompt: { system: Hello. }\n`,
        ".agents/helper.yaml": AGENT,
        ".agents/broken.yaml": "prompt: [",
        ".workflows/review.yaml": `${REVIEW}  scribe: { ref: alice }\n`,
        ".workflows/passing.yaml": "agents:\n  alice: { ref: alice }\nworkspace: { provider: memory }\n",
      },
    });
    await callOk(project, person, createEphemeralAgent, { backend: "mock" });
    const idle = await callOk(project, person, listAgents, {});
    expect(idle.agents.map(({ name, source, state }) => [name, source, state])).toEqual([
      ["agent-1", "ephemeral", "idle"],
      ["alice", "file", "idle"],
      ["helper", "file", "idle"],
    ]);
    expect(idle.problems).toMatchObject([
      { severity: "error", file: ".agents/broken.yaml" },
      { severity: "warning", file: ".workflows/review.yaml", message: expect.stringContaining("helper") },
    ]);

    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, openWorkspace, { workflow: "passing" });
    await callOk(project, person, sendMessage, { to: "alice", message: "hello" });
    await callOk(project, person, sendMessage, { to: "alice@review", message: "a task" });
    await callOk(project, person, sendMessage, { to: "@passing", message: "@alice look" });
    await callOk(project, person, sendMessage, { to: "scribe@review", message: "write" });
    await callOk(project, person, sendMessage, { to: "helper@review", message: "for the one in the workspace" });
    const { agents, workflowAgents } = await callOk(project, person, listAgents, {});
    expect(agents.find(({ name }) => name === "alice")).toEqual({
      name: "alice",
      source: "file",
      model: "anthropic/claude-sonnet-4-5",
      backend: "sdk",
      state: "idle",
      until: null,
      work: null,
      workspaces: ["@passing:main", "@review:main"],
      open: { immediate: 2, normal: 2, background: 0 },
      rests: false,
      node: null,
    });
    expect(agents.find(({ name }) => name === "helper")).toMatchObject({
      backend: "mock",
      model: null,
      state: "idle",
      workspaces: [],
      open: { immediate: 0, normal: 0, background: 0 },
    });
    expect(workflowAgents).toMatchObject([
      { name: "helper@review", source: "workflow", workspaces: ["@review:main"], open: { normal: 1 } },
    ]);
  });

  it("[agent.info] show their definition and how much they remember, and no secrets", async () => {
    await using project = await openTestProject({
      files: {
        ".agents/alice.yaml": `${AGENT}soul: { role: reviewer, mood: calm }\nenv: { REGION: north }\nmax_tokens: 8000\n`,
        ".agents/alice/notes/2026-01-01-first.md": "First",
        ".agents/alice/notes/2026-01-02-second.md": "Second",
        ".agents/alice/conversations/2026-01-03.md": "### 10:00:00 [user]\nHello\n",
      },
    });
    await callOk(project, person, setMemory, { agent: "alice", key: "style", value: "short" });
    await callOk(project, person, addTodo, { agent: "alice", text: "Review" });
    const shown = await callOk(project, person, showAgent, { name: "alice" });
    expect(shown).toMatchObject({
      name: "alice",
      prompt: { system: "Hello." },
      soul: { role: "reviewer", mood: "calm" },
      maxTokens: 8000,
      env: ["REGION"],
      context: { memory: 1, notes: 2, openTodos: 1, lastConversation: "2026-01-03" },
    });
    expect(JSON.stringify(shown)).not.toContain("north");
    const refusal = await callRefused(project, person, showAgent, { name: "alise" });
    expect(refusal).toMatchObject({ code: "not_found", message: 'There is no agent called "alise".' });
    expect(refusal.hint).toContain('Did you mean "alice"?');
  });

  it("are found when their file has just been written by hand", async () => {
    await using project = await openTestProject();
    project.write(".agents/alice.yaml", AGENT);
    expect((await callOk(project, person, showAgent, { name: "alice" })).backend).toBe("mock");
    project.write(".agents/bob.yaml", AGENT);
    expect(await names(project)).toEqual(["alice", "bob"]);
  });

  it("[agent.delete] are deleted with their context, and with nothing else", async () => {
    await using project = await openTestProject({ files: { ".agents/alice.yaml": AGENT, ".agents/bob.yaml": AGENT } });
    for (const agent of ["alice", "bob"]) await callOk(project, person, setMemory, { agent, key: "k", value: agent });
    expect(await callOk(project, person, deleteAgent, { name: "alice" })).toEqual({
      name: "alice",
      contextKept: false,
    });
    expect(readdirSync(join(project.dir, ".agents")).sort()).toEqual(["bob", "bob.yaml"]);
    expect(project.published.at(-1)).toMatchObject({ type: "agent.deleted", agent: "alice" });

    await callOk(project, person, deleteAgent, { name: "bob", keepContext: true });
    expect(readdirSync(join(project.dir, ".agents"))).toEqual(["bob"]);
    expect(await names(project)).toEqual([]);
    expect((await callRefused(project, person, deleteAgent, { name: "bob" })).code).toBe("not_found");
  });

  it("take their schedules with them", async () => {
    await using project = await openTestProject({ files: { ".agents/alice.yaml": AGENT, ".agents/bob.yaml": AGENT } });
    await project.store.transact(async (store) => {
      for (const target of ["alice", "alice@review", "bob", "@review"]) {
        await store.schedules.set({
          id: `sch_${target}`,
          target,
          wakeup: { kind: "interval", everyMs: 60_000 },
          prompt: null,
          nextAt: 1,
          lastFiredAt: null,
          pausedAt: null,
          createdBy: "user",
          createdAt: 1,
        });
      }
      return { ok: true, value: undefined };
    });
    await callOk(project, person, deleteAgent, { name: "alice" });
    const left = await project.store.read((store) => store.schedules.list());
    expect(left.map(({ target }) => target).sort()).toEqual(["@review", "bob"]);
  });

  it("are not deleted or renamed while they take part in a running workspace", async () => {
    await using project = await openTestProject({
      files: {
        ".agents/alice.yaml": AGENT,
        ".workflows/review.yaml": `${REVIEW}  scout: { ref: agent-1 }\n`,
        ".workflows/alias.yaml": "agents:\n  scribe: { ref: alice }\n",
      },
    });
    await callOk(project, person, createEphemeralAgent, { backend: "mock" });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, openWorkspace, { workflow: "alias" });
    const refusal = await callRefused(project, person, deleteAgent, { name: "alice" });
    expect(refusal).toMatchObject({
      code: "conflict",
      message: "alice takes part in @alias, @review.",
      details: { workspaces: ["@alias:main", "@review:main"] },
    });
    expect(refusal.hint).toContain("agent-worker stop");
    const promotion = await callRefused(project, person, promoteAgent, { from: "agent-1", name: "scout" });
    expect(promotion.message).toBe("agent-1 takes part in @review.");
    expect(await names(project)).toEqual(["agent-1", "alice"]);
    expect(existsSync(join(project.dir, ".agents/alice.yaml"))).toBe(true);

    await callOk(project, person, closeWorkspace, { target: "@review" });
    await callOk(project, person, closeWorkspace, { target: "@alias" });
    await callOk(project, person, deleteAgent, { name: "alice" });
  });

  it("[proposal.access] are managed by persons alone, and a refused request changes nothing", async () => {
    await using project = await openTestProject({ files: { ".agents/alice.yaml": AGENT } });
    const agent = agentCaller("alice");
    const refusals = [
      await callRefused(project, agent, createAgent, { name: "bob", backend: "mock" }),
      await callRefused(project, agent, createEphemeralAgent, { backend: "mock" }),
      await callRefused(project, agent, promoteAgent, { from: "agent-1", name: "bob" }),
      await callRefused(project, agent, deleteAgent, { name: "alice" }),
      await callRefused(project, agent, listAgents, {}),
      await callRefused(project, agent, showAgent, { name: "alice" }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => "forbidden"));
    expect(await names(project)).toEqual(["alice"]);
    expect(project.published).toEqual([]);
    await callOk(project, systemCaller, createAgent, { name: "bob", backend: "mock" });
  });
});
