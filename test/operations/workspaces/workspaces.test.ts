import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { listMembers } from "../../../src/operations/workspaces/list-members.ts";
import { listWorkspaces } from "../../../src/operations/workspaces/list-workspaces.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { findRunAgent } from "../../../src/operations/runs/run-agent.ts";
import { setStatus } from "../../../src/operations/workspaces/set-status.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import { rowsOnDisk } from "../../support/store/rows-on-disk.ts";
import { callOk, callRefused, openTestProject } from "../../support/team/project.ts";
import { agentFile, agentIn, openTeam, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

describe("open-workspace", () => {
  it("records the workspace and its participants in file order [workspace.open]", async () => {
    await using project = await openTestProject({ files: TEAM });
    const opened = await callOk(project, person, openWorkspace, { workflow: "review" });
    expect(opened).toMatchObject({
      space: REVIEW,
      name: "review",
      state: "open",
      provider: "sqlite",
      documentOwner: null,
      electing: false,
      participants: ["alice", "bob", "carol", "helper"],
      closedAt: null,
    });
    const participants = await project.store.read((store) => store.workspaces.participants(REVIEW));
    expect(participants.map(({ agent, ref }) => [agent, ref])).toEqual([
      ["alice", "alice"],
      ["bob", "bob"],
      ["carol", "carol"],
      ["helper", null],
    ]);
    expect(project.published.map(({ type }) => type)).toEqual(["workspace.opened"]);
  });

  it("holds memberships only: what an agent is, its file says [definitions.members]", async () => {
    await using project = await openTeam();
    project.write(".agents/alice.yaml", "name: alice\nbackend: mock\nprompt: { system: Another. }\n");
    await project.definitions.refresh();
    const run = { agent: "alice", space: REVIEW };
    const alice = await project.store.read((store) => findRunAgent(store, project.definitions, run));
    expect(alice).toMatchObject({ agent: { definition: { prompt: { system: "Another." } } } });
  });

  it("is refused when it is open, and leaves it running [workspace.open-twice]", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: "@review", message: "still here" });
    const before = project.published.length;
    const refusal = await callRefused(project, person, openWorkspace, { workflow: "review" });
    expect(refusal).toMatchObject({ code: "conflict", message: 'Workflow "review" is running already.' });
    expect(project.published).toHaveLength(before);
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages.map(({ content }) => content)).toEqual(["still here"]);
  });

  it("lets only one of two openings at the same moment through", async () => {
    await using project = await openTestProject({ files: TEAM });
    const results = await Promise.all(
      [1, 2].map(() => project.system.propose(person, openWorkspace, { workflow: "review" })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it("reads files written after the project was opened", async () => {
    await using project = await openTestProject();
    for (const [path, text] of Object.entries(TEAM)) project.write(path, text);
    expect(await callOk(project, person, openWorkspace, { workflow: "review" })).toMatchObject({ state: "open" });
  });

  it("refuses an unknown workflow, an unknown reference, a broken file and a bad tag, each with the next step", async () => {
    await using project = await openTestProject({
      files: {
        ...TEAM,
        ...workflowFile("lonely", "agents: { zoe: { ref: zoe } }\n"),
        ".workflows/broken.yaml": "name: broken\nagents: 7\n",
      },
    });
    expect(await callRefused(project, person, openWorkspace, { workflow: "reviw" })).toMatchObject({
      code: "not_found",
      hint: expect.stringContaining('Did you mean "review"?'),
    });
    expect(await callRefused(project, person, openWorkspace, { workflow: "lonely" })).toMatchObject({
      code: "not_found",
      message: '"zoe" refers to the agent "zoe", which does not exist.',
    });
    expect(await callRefused(project, person, openWorkspace, { workflow: "broken" })).toMatchObject({
      code: "invalid",
      hint: expect.stringContaining(".workflows/broken.yaml:2"),
    });
    expect(await callRefused(project, person, openWorkspace, { workflow: "review", tag: "../up" })).toMatchObject({
      code: "invalid",
    });
    expect((await callOk(project, person, listWorkspaces, {})).workspaces).toEqual([]);
    expect(project.published).toEqual([]);
  });

  it("never makes a workspace called global [workspace.no-global]", async () => {
    await using project = await openTestProject({ files: TEAM });
    await callOk(project, person, sendMessage, { to: "alice@global", message: "hello" });
    expect(await callRefused(project, person, openWorkspace, { workflow: "global" })).toMatchObject({
      code: "invalid",
    });
    expect((await callOk(project, person, listWorkspaces, {})).workspaces).toEqual([]);
    expect(existsSync(join(project.dir, ".workspace/global"))).toBe(false);
  });

  it("is for persons and the system", async () => {
    await using project = await openTestProject({ files: TEAM });
    const refusal = await callRefused(project, agentIn("alice", "alice"), openWorkspace, { workflow: "review" });
    expect(refusal.code).toBe("forbidden");
    expect(await callOk(project, systemCaller, openWorkspace, { workflow: "review" })).toMatchObject({ state: "open" });
  });

  it("gives an agent that joins under another name the mailbox it has anyway [definitions.one-loop]", async () => {
    const files = { ...TEAM, ...workflowFile("pair", "agents:\n  one: { ref: alice }\n  two: { ref: bob }\n") };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "pair" });
    await callOk(project, person, sendMessage, { to: "@pair", message: "@one and @two, hello" });
    expect(project.woken).toEqual(["alice", "bob"]);
  });
});

describe("the folder of a workspace", () => {
  it("is .workspace/<workflow>/<tag>, beside the database [workspace.folder]", async () => {
    await using project = await openTestProject({ files: TEAM });
    const opened = await callOk(project, person, openWorkspace, { workflow: "review", tag: "pr-1" });
    expect(opened).toMatchObject({ dir: ".workspace/review/pr-1", name: "review:pr-1" });
    expect(existsSync(join(project.dir, ".workspace/agent-worker.db"))).toBe(true);
  });

  it("is under the base folder of the project file", async () => {
    await using project = await openTestProject({
      files: { ...TEAM, "moniro.yaml": "workspace: { base: ./rooms/ }\n" },
    });
    expect(await callOk(project, person, openWorkspace, { workflow: "review" })).toMatchObject({
      dir: "rooms/review/main",
    });
  });

  const bound = (bind: string): Record<string, string> => ({
    ...TEAM,
    ...workflowFile("notes", `agents: { alice: { ref: alice } }\nworkspace: { bind: "${bind}" }\n`),
  });

  it("is the one `bind` names, which stays after closing [workspace.bind]", async () => {
    await using project = await openTestProject({ files: bound("./data/${{ workflow.name }}-${{ workflow.tag }}/") });
    const opened = await callOk(project, person, openWorkspace, { workflow: "notes" });
    expect(opened.dir).toBe("data/notes-main");
    project.write("data/notes-main/documents/notes.md", "kept");
    await callOk(project, person, closeWorkspace, { target: "@notes" });
    expect(existsSync(join(project.dir, "data/notes-main/documents/notes.md"))).toBe(true);
    expect((await callOk(project, person, openWorkspace, { workflow: "notes" })).dir).toBe("data/notes-main");
  });

  it("is never shared by two that are open", async () => {
    await using project = await openTestProject({ files: bound("./data/") });
    await callOk(project, person, openWorkspace, { workflow: "notes" });
    const refusal = await callRefused(project, person, openWorkspace, { workflow: "notes", tag: "two" });
    expect(refusal).toMatchObject({ code: "conflict", message: '"notes" is running in the folder data already.' });
    await using other = await openTestProject({ files: TEAM });
    await callOk(other, person, openWorkspace, { workflow: "review", tag: "PR" });
    expect(await callRefused(other, person, openWorkspace, { workflow: "review", tag: "pr" })).toMatchObject({
      code: "conflict",
    });
  });
});

describe("the owner of the documents", () => {
  const owned = (
    documentOwner: string,
    agents = "alice: { ref: alice }, bob: { ref: bob }",
  ): Record<string, string> => ({
    ...TEAM,
    ...workflowFile("docs", `agents: { ${agents} }\nworkspace: { documentOwner: ${documentOwner} }\n`),
  });

  it("is the agent the workflow names", async () => {
    await using project = await openTestProject({ files: owned("bob") });
    expect(await callOk(project, person, openWorkspace, { workflow: "docs" })).toMatchObject({ documentOwner: "bob" });
  });

  it("is nobody for a single agent, elected or not", async () => {
    await using project = await openTestProject({ files: owned("elect", "alice: { ref: alice }") });
    const opened = await callOk(project, person, openWorkspace, { workflow: "docs" });
    expect(opened).toMatchObject({ documentOwner: null, electing: false });
    expect(project.published.map(({ type }) => type)).toEqual(["workspace.opened"]);
  });
});

describe("two workspaces", () => {
  it("with different tags share nothing [workspace.key]", async () => {
    await using project = await openTestProject({ files: TEAM });
    const one = await callOk(project, person, openWorkspace, { workflow: "review", tag: "one" });
    const two = await callOk(project, person, openWorkspace, { workflow: "review", tag: "two" });
    expect(one.dir).not.toBe(two.dir);
    await callOk(project, person, sendMessage, { to: "@review:one", message: "@alice first" });
    await callOk(project, agentIn("@review:one", "alice"), setStatus, { task: "first" });
    expect((await callOk(project, person, peekChannel, { target: "@review:two" })).messages).toEqual([]);
    const { members } = await callOk(project, person, listMembers, { target: "@review:two" });
    expect(members.every(({ task, waiting }) => task === null && waiting === 0)).toBe(true);
    await callOk(project, person, closeWorkspace, { target: "@review:one" });
    expect(await callOk(project, person, showWorkspace, { target: "@review:two" })).toMatchObject({ state: "open" });
  });

  it("show an agent in both of them only what belongs there [workspace.isolated]", async () => {
    const files = { ...TEAM, ...workflowFile("deploy", "agents: { alice: { ref: alice } }\n") };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, openWorkspace, { workflow: "deploy" });
    await callOk(project, person, sendMessage, { to: "@review", message: "@alice about the review" });
    await callOk(project, person, sendMessage, { to: "@deploy", message: "@alice about the deployment" });
    const seen = async (space: string) => ({
      channel: (await callOk(project, agentIn(space, "alice"), peekChannel, {})).messages.map(({ content }) => content),
      inbox: (await callOk(project, agentIn(space, "alice"), readInbox, {})).deliveries.map(
        (each) => each.message.content,
      ),
    });
    const review = ["@alice about the review"];
    const deploy = ["@alice about the deployment"];
    expect(await seen(REVIEW)).toEqual({ channel: review, inbox: review });
    expect(await seen("@deploy:main")).toEqual({ channel: deploy, inbox: deploy });
    for (const operation of [peekChannel, showWorkspace, listMembers]) {
      const refusal = await callRefused(project, agentIn(REVIEW, "alice"), operation, { target: "@deploy" });
      expect(refusal.code).toBe("forbidden");
    }
  });
});

describe("close-workspace", () => {
  it("takes no more messages, lets the agents go and keeps what was said [workspace.close]", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: "@review", message: "@alice before" });
    project.clock.advance(1000);
    const closed = await callOk(project, person, closeWorkspace, { target: "@review" });
    expect(closed).toMatchObject({ state: "closed", closedAt: new Date(project.clock.now()).toISOString() });
    expect(project.published.at(-1)).toMatchObject({ type: "workspace.closed", space: REVIEW });
    for (const to of ["@review", "alice@review"]) {
      expect(await callRefused(project, person, sendMessage, { to, message: "after" })).toMatchObject({
        code: "not_running",
      });
    }
    expect(await project.store.read((store) => store.workspaces.workspacesOf("alice"))).toEqual([]);
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages.map(({ content }) => content)).toEqual(["@alice before"]);
  });

  it("is refused for one that is not running, and to agents", async () => {
    await using project = await openTeam();
    expect(await callRefused(project, person, closeWorkspace, { target: "@review:other" })).toMatchObject({
      code: "not_running",
    });
    expect(await callRefused(project, agentIn(REVIEW, "alice"), closeWorkspace, { target: "@review" })).toMatchObject({
      code: "forbidden",
    });
    expect(await callRefused(project, person, closeWorkspace, { target: "alice" })).toMatchObject({
      code: "not_found",
    });
    await callOk(project, person, closeWorkspace, { target: "@review" });
    const before = project.published.length;
    expect(await callRefused(project, person, closeWorkspace, { target: "@review" })).toMatchObject({
      code: "not_running",
      hint: expect.stringContaining("start"),
    });
    expect(project.published).toHaveLength(before);
  });

  it("is undone by opening it again, after a restart too: the channel goes on after its last message [workspace.reopen]", async () => {
    await using first = await openTeam();
    const before = await callOk(first, person, sendMessage, { to: "@review", message: "@alice one" });
    await callOk(first, agentIn(REVIEW, "alice"), setStatus, { task: "old" });
    await callOk(first, person, closeWorkspace, { target: "@review" });
    await using project = await first.reopen();
    project.write(".workflows/review.yaml", "name: review\nagents: { alice: { ref: alice }, bob: { ref: bob } }\n");
    const opened = await callOk(project, person, openWorkspace, { workflow: "review", continue: true });
    expect(opened).toMatchObject({ state: "open", closedAt: null, participants: ["alice", "bob"] });
    const after = await callOk(project, person, sendMessage, { to: "@review", message: "two" });
    expect(after.seq).toBeGreaterThan(before.seq);
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages.map(({ content }) => content)).toEqual(["@alice one", "two"]);
    const { members } = await callOk(project, person, listMembers, { target: "@review" });
    expect(members.map(({ agent, task, waiting }) => [agent, task, waiting])).toEqual([
      ["alice", null, 1],
      ["bob", null, 0],
    ]);
  });
});

describe("a workspace in memory", () => {
  const files = {
    ...TEAM,
    ...workflowFile("scratch", "agents: { alice: { ref: alice } }\nworkspace: { provider: memory }\n"),
  };

  it("works like any other, leaves nothing on disk and is gone after a restart [workspace.provider-memory]", async () => {
    await using first = await openTestProject({ files });
    const opened = await callOk(first, person, openWorkspace, { workflow: "scratch" });
    expect(opened).toMatchObject({ provider: "memory", documents: "sqlite" });
    await callOk(first, person, sendMessage, { to: "@scratch", message: "@alice in passing" });
    const inbox = await callOk(first, agentIn("@scratch:main", "alice"), readInbox, {});
    expect(inbox.deliveries).toHaveLength(1);
    const listed = await callOk(first, person, listWorkspaces, {});
    expect(listed.workspaces.map(({ space }) => space)).toEqual(["@scratch:main"]);
    expect(existsSync(join(first.dir, ".workspace/scratch"))).toBe(false);
    expect(rowsOnDisk(first.dir, "message")).toBe(0);
    await using project = await first.reopen();
    expect((await callOk(project, person, listWorkspaces, {})).workspaces).toEqual([]);
    expect(await callRefused(project, person, sendMessage, { to: "@scratch", message: "x" })).toMatchObject({
      code: "not_running",
    });
  });

  it("is in memory from the first moment, even when its file is newer than the project", async () => {
    await using project = await openTestProject();
    for (const [path, text] of Object.entries(files)) project.write(path, text);
    await callOk(project, person, openWorkspace, { workflow: "scratch" });
    expect(await callOk(project, person, showWorkspace, { target: "@scratch" })).toMatchObject({ state: "open" });
    expect(rowsOnDisk(project.dir, "workspace")).toBe(0);
  });
});

describe("list-workspaces and show-workspace", () => {
  it("show open and closed ones to a person", async () => {
    const files = { ...TEAM, ...agentFile("dave"), ...workflowFile("deploy", "agents: { dave: { ref: dave } }\n") };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, openWorkspace, { workflow: "deploy" });
    await callOk(project, person, closeWorkspace, { target: "@deploy" });
    const spaces = async (state?: "open" | "closed") =>
      (await callOk(project, person, listWorkspaces, state === undefined ? {} : { state })).workspaces.map(
        ({ space }) => space,
      );
    expect(await spaces()).toEqual(["@deploy:main", REVIEW]);
    expect(await spaces("open")).toEqual([REVIEW]);
    expect(await spaces("closed")).toEqual(["@deploy:main"]);
    expect(await callRefused(project, agentIn(REVIEW, "alice"), listWorkspaces, {})).toMatchObject({
      code: "forbidden",
    });
    expect(await callOk(project, person, showWorkspace, { target: "@deploy" })).toMatchObject({
      state: "closed",
      participants: ["dave"],
    });
  });

  it("[workspace.members] show who takes part, with roles, and count what waits", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: "@review", message: "@alice @helper please" });
    await callOk(project, person, sendMessage, { to: "alice@review", message: "and this" });
    const shown = await callOk(project, person, showWorkspace, { target: "@review" });
    expect(shown.members.map(({ agent, source, role, waiting }) => [agent, source, role, waiting])).toEqual([
      ["alice", "project", "reviewer", 2],
      ["bob", "project", null, 0],
      ["carol", "project", null, 0],
      ["helper", "workflow", null, 1],
    ]);
    expect(shown.openBallots).toBe(0);
    expect(await callRefused(project, person, showWorkspace, { target: "@review:none" })).toMatchObject({
      code: "not_running",
    });
  });
});

describe("set-status", () => {
  it("[workspace.status-set] is seen by the others", async () => {
    await using project = await openTeam();
    const alice = agentIn(REVIEW, "alice");
    await callOk(project, alice, setStatus, { task: "reading\n the  diff", state: "working" });
    expect(project.published.at(-1)).toMatchObject({ type: "status.set", space: REVIEW, agent: "alice" });
    const { members } = await callOk(project, agentIn(REVIEW, "bob"), listMembers, {});
    expect(members[0]).toMatchObject({ agent: "alice", task: "reading the diff", state: "working" });
    expect(await callOk(project, alice, setStatus, { state: "blocked" })).toEqual({
      task: "reading the diff",
      state: "blocked",
    });
    expect(await callOk(project, alice, setStatus, { task: null, state: "" })).toEqual({ task: null, state: null });
  });

  it("is for agents inside a workspace, about themselves", async () => {
    await using project = await openTeam();
    expect(await callRefused(project, person, setStatus, { task: "x" })).toMatchObject({ code: "forbidden" });
    expect(await callRefused(project, agentIn("alice", "alice"), setStatus, { task: "x" })).toMatchObject({
      code: "forbidden",
    });
    expect(await callRefused(project, agentIn(REVIEW, "stranger"), setStatus, { task: "x" })).toMatchObject({
      code: "not_participant",
    });
    expect(await callRefused(project, agentIn(REVIEW, "alice"), setStatus, { task: "x".repeat(201) })).toMatchObject({
      code: "invalid",
    });
  });
});
