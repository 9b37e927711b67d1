import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RequestResult, RunEvent } from "../../../src/contract/service/work-request.ts";
import { stopAgent } from "../../../src/runtime/loop/stop-agent.ts";
import { EngineFailure } from "../../../src/ports/engine.ts";
import { executeRequest } from "../../../src/runtime/requests/execute-request.ts";
import type { RunningProject } from "../../../src/runtime/running-project.ts";
import { scriptedEngine, type Script } from "../../../src/testing/scripted-engine.ts";
import { untilAborted } from "../../support/engine/until-aborted.ts";
import { gate } from "../../support/gate.ts";
import { refused, value } from "../../support/result.ts";
import { rowsOnDisk } from "../../support/store/rows-on-disk.ts";
import { eventually, openLiveTestProject, type LiveTestProject } from "../../support/team/running-project.ts";
import { never, openTask, stateOf } from "../../support/team/started-workflow.ts";
import { TEAM } from "../../support/team/team.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

type Wanted = Parameters<typeof executeRequest>[1];

async function openTeamOn(script: Script): Promise<LiveTestProject> {
  return openLiveTestProject({ files: TEAM, engine: scriptedEngine(script) });
}

/** The workRequest to its end, with everything that was told of it. */
async function carriedOut(
  project: RunningProject,
  wanted: Wanted,
): Promise<{ readonly end: RequestResult; readonly told: readonly RunEvent[] }> {
  const told: RunEvent[] = [];
  return { end: value(await executeRequest(project, wanted, (event) => told.push(event), never)), told };
}

function detached(project: RunningProject, wanted: Wanted) {
  const told: RunEvent[] = [];
  const leaving = new AbortController();
  const outcome = executeRequest(project, wanted, (event) => told.push(event), leaving.signal).catch(
    (error: unknown) => error,
  );
  return { told, outcome, leave: () => leaving.abort(new Error("left")) };
}

function kinds(told: readonly RunEvent[]): string[] {
  return told.map((event) => (event.type === "message" ? `message of ${event.from}` : event.type));
}

describe("an workRequest for one agent", () => {
  it("tells what happens in order and ends with the answer", async () => {
    await using project = await openTeamOn(async ({ call, number }) => {
      if (number > 1) return "It is fine.";
      await call("note_add", { title: "Checked", content: "checked" });
      return { more: true };
    });
    const { end, told } = await carriedOut(project, { agent: "alice", message: "please check" });
    expect(kinds(told)).toEqual([
      "started",
      "message of user",
      "step",
      "tool_call",
      "tool_result",
      "step",
      "message of alice",
    ]);
    expect(told[3]).toMatchObject({ agent: "alice", tool: "note_add", args: { title: "Checked" } });
    expect(end).toEqual({
      type: "done",
      content: "It is fine.",
      outcome: "answered",
      success: true,
      space: "alice",
      participants: ["alice"],
      failed: [],
      incomplete: [],
      waits: [],
      hint: null,
      toolCalls: [{ agent: "alice", tool: "note_add", args: { title: "Checked", content: "checked" } }],
      usage: { inputTokens: 20, outputTokens: 10, costUsd: null, costEstimated: false },
    });
  });

  it("does not wait for what else the agent has to do", async () => {
    const [first, second] = [gate(), gate()];
    await using project = await openTeamOn(async ({ inbox }) => {
      await (inbox.includes("elsewhere") ? second : first).passed;
      return inbox.includes("elsewhere") ? "there" : "here";
    });
    await project.open("review");
    const asking = carriedOut(project, { agent: "alice", message: "quick question" });
    await eventually("alice works", () => project.published.some(({ type }) => type === "run.started"));
    await project.send("@review", "@alice elsewhere");
    first.open();
    expect((await asking).end.content).toBe("here");
    second.open();
    await project.quiet();
  });

  it("gives everybody who asks at the same time the answer to their own question", async () => {
    const busy = gate();
    let first = true;
    await using project = await openTeamOn(async ({ inbox, call }) => {
      if (first) {
        first = false;
        await busy.passed;
      }
      const asked = inbox.match(/question \d/g) ?? [];
      await call("todo_add", { text: asked.join() });
      return `answer to ${asked.join(" and ")}`;
    });
    const one = carriedOut(project, { agent: "alice", message: "question 1" });
    await eventually("alice is busy", () => !first);
    const others = [2, 3].map((number) => carriedOut(project, { agent: "alice", message: `question ${number}` }));
    await eventually("all have asked", async () => (await project.messages("alice")).length === 3);
    busy.open();
    const answers = await Promise.all([one, ...others]);
    expect(answers.map(({ end }) => end.content)).toEqual([
      "answer to question 1",
      "answer to question 2",
      "answer to question 3",
    ]);
    for (const { end, told } of answers) {
      expect(end.toolCalls).toHaveLength(1);
      expect(end.usage.inputTokens).toBe(10);
      expect(told.filter(({ type }) => type === "tool_call")).toHaveLength(1);
    }
  });

  it("names what could not be answered", async () => {
    await using project = await openTeamOn(() => {
      throw new EngineFailure("permanent", "no such model");
    });
    const { end } = await carriedOut(project, { agent: "alice", message: "hello" });
    expect(end).toMatchObject({ outcome: "failed", success: false, content: "", failed: [{ agent: "alice" }] });
    expect(end.failed[0]?.reason).toContain("no such model");
  });

  it("ends when the agent is stopped before it has answered", async () => {
    await using project = await openTeamOn(({ signal }) => untilAborted(signal));
    const asking = carriedOut(project, { agent: "alice", message: "hello" });
    await eventually("alice works", () => project.published.some(({ type }) => type === "run.started"));
    await stopAgent(project, "alice");
    const { end } = await asking;
    expect(end.outcome).toBe("stopped");
    expect(end.failed).toMatchObject([{ agent: "alice", reason: "alice was stopped before it had answered." }]);
  });

  it("gives the whole of a long answer", async () => {
    const long = "All of it matters. ".repeat(2_000).trim();
    await using project = await openTeamOn(() => long);
    const { end, told } = await carriedOut(project, { agent: "alice", message: "write" });
    expect(end.content).toBe(long);
    expect(told.at(-1)).toMatchObject({ type: "message", resource: expect.stringMatching(/^res_/) });
  });

  it("is refused before anything happens when there is no such agent", async () => {
    await using project = await openTeamOn(() => "");
    const told: RunEvent[] = [];
    for (const agent of ["alicia", "alice@review", "@review", "not a name"]) {
      const outcome = await executeRequest(project, { agent, message: "hello" }, (event) => told.push(event), never);
      expect(refused(outcome).code).toBe(agent === "alicia" ? "not_found" : "invalid");
    }
    expect(told).toEqual([]);
  });
});

describe("an workRequest for a workflow", () => {
  it("tells setup, start and everything said, and ends when it is idle", async () => {
    const { project: opened } = await openTask(
      'setup: [{ shell: "echo ready", as: state }]\nkickoff: "@alice is it ${{ state }}?"\n',
      ({ agent }) => (agent === "alice" ? "@bob say so" : "It is."),
    );
    await using project = opened;
    const { end, told } = await carriedOut(project, { workflow: "task", tag: "t1", until: "idle" });
    expect(kinds(told)).toEqual([
      "setup",
      "setup",
      "started",
      "message of system",
      "step",
      "message of alice",
      "step",
      "message of bob",
    ]);
    expect(told[2]).toEqual({ type: "started", space: "@task:t1", participants: ["alice", "bob"], warnings: [] });
    expect(told[3]).toMatchObject({ kind: "kickoff", content: "@alice is it ready?", mentions: ["alice"] });
    expect(end).toMatchObject({ content: "It is.", success: true, space: "@task:t1" });
    expect(end.usage).toEqual({ inputTokens: 20, outputTokens: 10, costUsd: null, costEstimated: false });
    expect(await stateOf(project, "@task:t1")).toBe("closed");
  });

  it("takes a file from anywhere, params and words of its own", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in("elsewhere"));
    const file = join(folder.path, "elsewhere", "sum.yaml");
    const params = "params:\n  - { name: a, type: number, required: true }\n";
    writeFileSync(
      file,
      `name: sum\nagents:\n  alice: { ref: alice }\n${params}kickoff: "@alice \${{ params.a }} + 1"\n`,
    );
    await using project = await openTeamOn(({ inbox }) => inbox.match(/\d \+ \d[^]*please/)?.[0] ?? "?");
    const { end } = await carriedOut(project, { workflow: file, params: { a: 4 }, message: "please", until: "idle" });
    expect(end.content).toBe("4 + 1\n\nplease");
    const typed = await carriedOut(project, {
      workflow: file,
      params: ["--a", "5"],
      message: "please",
      until: "idle",
    });
    expect(typed.end.content).toBe("5 + 1\n\nplease");
    const byName = executeRequest(project, { workflow: "sum", until: "idle" }, () => {}, new AbortController().signal);
    expect(refused(await byName).message).toContain('no workflow called "sum"');
  });

  it("comes back after the kickoff when that is what was wanted", async () => {
    const { project: opened } = await openTask('kickoff: "@alice go"\n', ({ signal }) => untilAborted(signal));
    await using project = opened;
    const { end, told } = await carriedOut(project, { workflow: "task", until: "started" });
    expect(kinds(told).slice(0, 2)).toEqual(["started", "message of user"]);
    expect(end).toMatchObject({ content: "", success: true, usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 } });
    expect(await stateOf(project, "@task:main")).toBe("open");
  });

  it("names the agents that could not answer, and none of an earlier time", async () => {
    let broken = true;
    const { project: opened } = await openTask('kickoff: "@alice @bob go"\n', ({ agent }) => {
      if (broken && agent === "bob") throw new EngineFailure("permanent", "no such model");
      return "fine";
    });
    await using project = opened;
    const { end } = await carriedOut(project, { workflow: "task", until: "idle" });
    expect(end.failed).toMatchObject([{ agent: "bob", reason: expect.stringContaining("no such model") }]);
    expect(end).toMatchObject({ success: false, content: "fine" });
    broken = false;
    expect((await carriedOut(project, { workflow: "task", until: "idle" })).end.success).toBe(true);
  });

  it("goes on when nobody watches any more, and is closed when it is idle [workflow.run-idle]", async () => {
    const slow = gate();
    const { project: opened } = await openTask('kickoff: "@alice go"\n', async () => {
      await slow.passed;
      return "done";
    });
    await using project = opened;
    const { told, outcome, leave } = detached(project, { workflow: "task", until: "idle" });
    await eventually("alice works", () => told.some(({ type }) => type === "step"));
    leave();
    expect(await outcome).toMatchObject({ message: "left" });
    const before = told.length;
    slow.open();
    await eventually("it is closed", async () => (await stateOf(project, "@task:main")) === "closed");
    expect(await project.said("@task:main")).toEqual(["user: @alice go", "alice: done"]);
    expect(told).toHaveLength(before);
  });

  it("is not interrupted in its setup by a watcher who leaves", async () => {
    const { project: opened } = await openTask(
      'setup: [{ shell: "until [ -e ok ]; do sleep 0.05; done" }]\nkickoff: "@alice go"\n',
      () => "done",
    );
    await using project = opened;
    const { told, outcome, leave } = detached(project, { workflow: "task", until: "idle" });
    await eventually("the setup runs", () => told.length > 0);
    leave();
    await outcome;
    project.write("ok", "");
    await eventually("it is closed", async () => (await stateOf(project, "@task:main")) === "closed");
    expect(await project.said("@task:main")).toEqual(["user: @alice go", "alice: done"]);
  });

  it("nobody watches any more survives a restart, and is closed after it", async () => {
    let life = 1;
    const { project: opened } = await openTask('kickoff: "@alice go"\n', ({ signal }) =>
      life === 1 ? untilAborted(signal) : "done",
    );
    const { told, outcome, leave } = detached(opened, { workflow: "task", until: "idle" });
    await eventually("alice works", () => told.some(({ type }) => type === "step"));
    leave();
    await outcome;
    life = 2;
    await using project = await opened.restart();
    await eventually("it is closed", async () => (await stateOf(project, "@task:main")) === "closed");
    expect(await project.said("@task:main")).toEqual(["user: @alice go", "alice: done"]);
  });

  it("is refused before anything happens when it is unknown, running or asked wrongly", async () => {
    const { project: opened } = await openTask("params: [{ name: a, required: true }]\n");
    await using project = opened;
    const told: RunEvent[] = [];
    const ask = async (more: Partial<Extract<Wanted, { workflow: string }>>) =>
      refused(
        await executeRequest(project, { workflow: "task", until: "idle", ...more }, (event) => told.push(event), never),
      );
    expect((await ask({ workflow: "tusk" })).code).toBe("not_found");
    expect((await ask({})).code).toBe("invalid");
    expect((await ask({ workflow: join(project.dir, "missing.yaml") })).code).toBe("invalid");
    await project.open("task");
    expect((await ask({ params: { a: "x" } })).code).toBe("conflict");
    expect(told).toEqual([]);
  });
});

describe("an workRequest for agents of its own", () => {
  const inline = (system: string) => ({ backend: "mock", prompt: { system } });

  it("lets all of them work on the message, and leaves nothing behind", async () => {
    await using project = await openTeamOn(({ agent, inbox }) =>
      agent === "ada" && !inbox.includes("Here it is") ? "@bea Here it is." : "",
    );
    const agents = { ada: inline("You draft."), bea: inline("You check.") };
    const { end, told } = await carriedOut(project, { agents, message: "Write a poem." });
    expect(told[0]).toMatchObject({ type: "started", participants: ["ada", "bea"] });
    expect(told[1]).toMatchObject({ content: "@ada @bea\n\nWrite a poem.", mentions: ["ada", "bea"] });
    expect(end).toMatchObject({ content: "@bea Here it is.", success: true, participants: ["ada", "bea"] });
    const { workflow } = { workflow: end.space.slice(1).split(":")[0] ?? "" };
    expect(project.definitions.workflow(workflow)).toBeUndefined();
    await eventually("their loops are gone", () => project.runtime.loops.size === 0);
    expect(rowsOnDisk(project.dir, "workspace")).toBe(0);
    expect(await project.store.read((store) => store.workspaces.status(end.space))).toMatchObject({
      state: "closed",
    });
    const again = await carriedOut(project, { agents, message: "Another." });
    expect(again.end.space).not.toBe(end.space);
  });

  it("is forgotten when others came after it, so that a daemon does not grow with them", async () => {
    await using project = await openTeamOn(() => "done");
    const agents = { ada: inline("You draft.") };
    const first = (await carriedOut(project, { agents, message: "One." })).end.space;
    const others = Array.from({ length: 25 }, () => carriedOut(project, { agents, message: "Next." }));
    await Promise.all(others);
    const left = await project.store.read(async ({ workspaces, messages }) => ({
      workspaces: (await workspaces.list()).map(({ key }) => key),
      ofFirst: await messages.page({ space: first, limit: 1 }),
    }));
    expect(left.workspaces.length).toBeLessThanOrEqual(20);
    expect(left.workspaces).not.toContain(first);
    expect(left.ofFirst).toEqual([]);
    const [kept = ""] = left.workspaces;
    expect(await project.store.read(({ messages }) => messages.page({ space: kept, limit: 9 }))).not.toEqual([]);
  });

  it("takes agents of the project into the team", async () => {
    await using project = await openTeamOn(({ agent }) => (agent === "alice" ? "me too" : ""));
    const { end } = await carriedOut(project, {
      agents: { ada: inline("You draft."), alice: "alice" },
      message: "Hi.",
    });
    expect(end).toMatchObject({ content: "me too", participants: ["ada", "alice"] });
  });

  it("is refused with everything that is wrong, each by its field", async () => {
    await using project = await openTeamOn(() => "");
    const wrong = async (agents: Record<string, unknown>) =>
      refused(await executeRequest(project, { agents, message: "Hi." }, () => {}, never));
    const refusal = await wrong({ ada: { backend: "mock", promt: {} }, bea: { ...inline("ok"), max_steps: "many" } });
    expect(refusal.code).toBe("invalid");
    expect(refusal.details).toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ field: "agents.ada.promt" }),
        expect.objectContaining({ field: "agents.bea.max_steps" }),
      ]),
    });
    expect(refusal.message).toContain("agents.ada.promt");
    expect((await wrong({ "not a name": inline("x") })).message).toContain("agents.not a name: ");
    expect((await wrong({})).message).toContain("agents");
    expect((await wrong({ ada: "nobody" })).code).toBe("not_found");
    expect((await wrong({ ada: null })).code).toBe("invalid");
    expect((await wrong(JSON.parse('{"__proto__": {"backend": "mock"}}') as Record<string, unknown>)).code).toBe(
      "invalid",
    );
    expect(project.definitions.workflow("team-1")).toBeUndefined();
    expect(project.definitions.workflow("team-4")).toBeUndefined();
  });

  it("goes on when nobody watches any more, and is forgotten in the end", async () => {
    const slow = gate();
    await using project = await openTeamOn(async () => {
      await slow.passed;
      return "done";
    });
    const { told, outcome, leave } = detached(project, { agents: { ada: inline("You draft.") }, message: "Hi." });
    await eventually("ada works", () => told.some(({ type }) => type === "step"));
    leave();
    await outcome;
    expect(project.definitions.workflow("team-1")).toBeDefined();
    slow.open();
    await eventually("it is forgotten", () => project.definitions.workflow("team-1") === undefined);
    expect(await project.said("@team-1:main")).toEqual(["user: @ada\n\nHi.", "ada: done"]);
  });
});
