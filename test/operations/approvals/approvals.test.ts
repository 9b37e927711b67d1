import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import { approve } from "../../../src/operations/approvals/approve.ts";
import { deny } from "../../../src/operations/approvals/deny.ts";
import { listApprovals } from "../../../src/operations/approvals/list-approvals.ts";
import { previewAllowRule } from "../../../src/operations/approvals/preview-allow-rule.ts";
import { readApproval } from "../../../src/operations/approvals/read-approval.ts";
import { requestApproval } from "../../../src/operations/approvals/request-approval.ts";
import { listDeadLetters } from "../../../src/operations/dead-letters/list-dead-letters.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { awaitApproval } from "../../../src/operations/runs/await-approval.ts";
import type { BegunRun } from "../../../src/operations/runs/begin-run.ts";
import { recoverRuns } from "../../../src/operations/runs/recover-runs.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { agentOf, nextWork, runHolder } from "../../support/team/leased-run.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, workflowFile } from "../../support/team/team.ts";

const CALL = { id: "call_1", tool: "bash", args: { command: "npm test" } };
const STEP = { number: 1, transcript: '{"waiting":"call_1"}' };

function tryBegin(project: TestProject): Promise<BegunRun | null> {
  return runHolder(project).next("alice");
}

function begin(project: TestProject, mailbox = "alice"): Promise<BegunRun> {
  return runHolder(project).begin(mailbox);
}

function held({ run }: BegunRun) {
  return { run: run.id, space: run.space, leaseOwner: run.leaseOwner, fence: run.fence };
}

function send(project: TestProject, to = "@review", message = "@alice please test") {
  return callOk(project, person, sendMessage, { to, message });
}

function ask(project: TestProject, run: BegunRun, call: typeof CALL = CALL) {
  return callOk(project, agentOf(run), requestApproval, { call });
}

/** Alice works on a message, asks, and waits. */
async function waitingRun(project: TestProject) {
  await send(project);
  const run = await begin(project);
  const { id } = await ask(project, run);
  expect(await callOk(project, systemCaller, awaitApproval, { ...held(run), step: STEP, approval: id })).toEqual({
    waits: true,
  });
  return { run, id };
}

async function pending(project: TestProject, target?: string): Promise<string[]> {
  const { approvals } = await callOk(project, person, listApprovals, target === undefined ? {} : { target });
  return approvals.map(({ id }) => id);
}

async function notices(project: TestProject, target = "@review"): Promise<string[]> {
  const { messages } = await callOk(project, person, peekChannel, { target, limit: 500 });
  return messages.filter(({ kind }) => kind === "notice").map(({ content }) => content);
}

describe("request-approval", () => {
  it("keeps the question, says it once in the channel, and wakes nobody [approval.asked]", async () => {
    await using project = await openTeam();
    await send(project);
    const run = await begin(project);
    const woken = project.woken.length;
    const { id, state, reason } = await ask(project, run);
    expect({ state, reason }).toEqual({ state: "pending", reason: null });
    expect(project.published.at(-2)).toMatchObject({ type: "approval.requested", agent: "alice", approval: id });
    expect(project.woken).toHaveLength(woken);
    expect(await notices(project)).toEqual([
      `alice wants to run bash: "npm test"\n` +
        `Approve with: agent-worker approve ${id}\n` +
        `Refuse with: agent-worker deny ${id}`,
    ]);
    const { approvals } = await callOk(project, person, listApprovals, {});
    expect(approvals).toEqual([
      {
        id,
        space: REVIEW,
        agent: "alice",
        run: run.run.id,
        tool: "bash",
        args: '{"command":"npm test"}',
        state: "pending",
        reason: null,
        decidedBy: null,
        requestedAt: new Date(project.clock.now()).toISOString(),
        decidedAt: null,
      },
    ]);
  });

  it("asked again for the same call is the same question, and later its answer", async () => {
    await using project = await openTeam();
    await send(project);
    const run = await begin(project);
    const first = await ask(project, run);
    expect(await ask(project, run)).toEqual(first);
    expect(await notices(project)).toHaveLength(1);
    await callOk(project, person, deny, { id: first.id, reason: "not today" });
    expect(await ask(project, run)).toEqual({ id: first.id, state: "denied", reason: "not today" });
    expect(await pending(project)).toEqual([]);
  });

  it("tells the run that asked what became of it, and no other", async () => {
    await using project = await openTeam();
    await send(project);
    const run = await begin(project);
    const { id } = await ask(project, run);
    const caller = agentOf(run);
    expect(await callOk(project, caller, readApproval, { id })).toMatchObject({ id, state: "pending" });
    await callOk(project, person, deny, { id, reason: "not today" });
    expect(await callOk(project, caller, readApproval, { id })).toEqual({ id, state: "denied", reason: "not today" });
    const other = { ...agentIn(REVIEW, "alice"), run: "run_other" };
    expect(await callRefused(project, other, readApproval, { id })).toMatchObject({ code: "not_found" });
    expect(await callRefused(project, person, readApproval, { id })).toMatchObject({ code: "forbidden" });
  });

  it("is another question when the id is used for another call: nobody approved that one", async () => {
    await using project = await openTeam();
    await send(project);
    const run = await begin(project);
    const harmless = await ask(project, run);
    await callOk(project, person, approve, { id: harmless.id });
    const changed = await ask(project, run, { ...CALL, args: { command: "rm -rf ." } });
    expect(changed).toMatchObject({ state: "pending" });
    const again = await ask(project, run, { ...CALL, args: { command: "rm -rf /" } });
    expect(await pending(project)).toEqual([again.id]);
    const { approvals } = await callOk(project, person, listApprovals, { state: "denied" });
    expect(approvals).toMatchObject([{ id: changed.id, decidedBy: "system", reason: "Another call took its place." }]);
    expect(await ask(project, run)).toMatchObject({ id: harmless.id, state: "approved" });
  });

  it("keeps no secret and no endless text", async () => {
    await using project = await openTeam({ redactor: createRedactor({ secrets: ["correct-horse-battery"] }) });
    await send(project);
    const run = await begin(project);
    await ask(project, run, { ...CALL, args: { command: `echo correct-horse-battery ${"x".repeat(100_000)}` } });
    const { approvals } = await callOk(project, person, listApprovals, {});
    const kept = JSON.stringify([approvals, await notices(project)]);
    expect(kept).not.toContain("correct-horse");
    expect(kept.length).toBeLessThan(20_000);
    expect(approvals[0]?.args).toContain("characters not shown");
  });

  it("is for agents at work, about their own run", async () => {
    await using project = await openTeam();
    for (const caller of [person, systemCaller, agentIn(REVIEW, "alice")]) {
      expect(await callRefused(project, caller, requestApproval, { call: CALL })).toMatchObject({ code: "forbidden" });
    }
    const gone = { ...agentIn(REVIEW, "alice"), run: "run_gone" };
    expect(await callRefused(project, gone, requestApproval, { call: CALL })).toMatchObject({ code: "conflict" });
    await send(project);
    const run = await begin(project);
    await callOk(project, systemCaller, settleRun, { ...held(run), result: { kind: "done", text: "ok" } });
    expect(await callRefused(project, agentOf(run), requestApproval, { call: CALL })).toMatchObject({
      code: "lease_lost",
    });
    expect(await pending(project)).toEqual([]);
  });
});

describe("a run that waits for approval", () => {
  it("keeps its deliveries, while the agent goes on with others [approval.asked]", async () => {
    await using project = await openTeam();
    const { run } = await waitingRun(project);
    expect(await tryBegin(project)).toBeNull();
    const { deliveries } = await callOk(project, person, readInbox, { target: "alice@review" });
    expect(deliveries).toMatchObject([{ state: "leased", attempts: 0 }]);
    await send(project, "@review", "@alice something else");
    const other = await begin(project);
    expect(other.run.id).not.toBe(run.run.id);
    await callOk(project, systemCaller, settleRun, { ...held(other), result: { kind: "done", text: "done" } });
    expect(await tryBegin(project)).toBeNull();
    const kept = await project.store.read((store) => store.runs.byId(run.run.id));
    expect(kept?.state).toBe("waiting");
  });

  it("cannot be written to by whoever held it", async () => {
    await using project = await openTeam();
    const { run } = await waitingRun(project);
    const result = { kind: "done", text: "late" };
    expect(await callRefused(project, systemCaller, settleRun, { ...held(run), result })).toMatchObject({
      code: "lease_lost",
    });
  });

  it("survives a restart, and closing the workspace [approval.survives]", async () => {
    await using first = await openTeam();
    const { run, id } = await waitingRun(first);
    await using project = await first.reopen();
    expect(await callOk(project, systemCaller, recoverRuns, { leaseOwner: "own_next" })).toEqual({
      runs: 0,
      buried: 0,
    });
    expect(await tryBegin(project)).toBeNull();
    await callOk(project, person, closeWorkspace, { target: "@review" });
    // Nothing would follow from a decision now.
    expect(await pending(project)).toEqual([]);
    expect(await callRefused(project, person, approve, { id })).toMatchObject({ code: "not_running" });
    await callOk(project, person, openWorkspace, { workflow: "review", continue: true });
    expect(await pending(project)).toEqual([id]);
    expect(await tryBegin(project)).toBeNull();
    await callOk(project, person, approve, { id });
    const resumed = await begin(project);
    expect(resumed).toMatchObject({ run: { id: run.run.id }, finishedSteps: 1 });
    expect(await ask(project, resumed)).toMatchObject({ id, state: "approved" });
  });

  it("ends with its question when everything it was to answer is acknowledged", async () => {
    await using project = await openTeam();
    const { run, id } = await waitingRun(project);
    await callOk(project, person, ackDeliveries, { ids: run.deliveries.map((each) => each.id) });
    expect(await pending(project)).toEqual([]);
    const { approvals } = await callOk(project, person, listApprovals, { state: "all" });
    expect(approvals).toMatchObject([{ id, state: "denied", decidedBy: "system" }]);
    expect(await project.store.read((store) => store.runs.byId(run.run.id))).toMatchObject({ outcome: "stopped" });
  });

  it("comes back although its agent has acknowledged what it answers", async () => {
    await using project = await openTeam();
    const sent = await send(project);
    const run = await begin(project);
    await callOk(project, agentOf(run), ackDeliveries, { ids: run.deliveries.map((each) => each.id) });
    const { id } = await ask(project, run);
    await callOk(project, systemCaller, awaitApproval, { ...held(run), step: STEP, approval: id });
    await callOk(project, person, approve, { id });
    const resumed = await begin(project);
    expect(resumed.run.id).toBe(run.run.id);
    expect(resumed.deliveries).toMatchObject([{ message: sent.id }]);
    await callOk(project, systemCaller, settleRun, { ...held(resumed), result: { kind: "done", text: "tested" } });
    expect(await tryBegin(project)).toBeNull();
    expect((await callOk(project, person, listDeadLetters, {})).deliveries).toEqual([]);
  });

  it("does not wait when the person was faster, or when there is nothing to wait for", async () => {
    await using project = await openTeam();
    await send(project);
    const run = await begin(project);
    const { id } = await ask(project, run);
    await callOk(project, person, approve, { id });
    expect(await callOk(project, systemCaller, awaitApproval, { ...held(run), step: STEP, approval: id })).toEqual({
      waits: false,
    });
    const next = { ...STEP, number: 2 };
    const unknown = await callOk(project, systemCaller, awaitApproval, {
      ...held(run),
      step: next,
      approval: "apr_none",
    });
    expect(unknown).toEqual({ waits: false });
    expect(await project.store.read((store) => store.runs.lastStep(run.run.id))).toMatchObject({ number: 2 });
    expect(await project.store.read((store) => store.runs.byId(run.run.id))).toMatchObject({ state: "open" });
  });
});

describe("approve and deny", () => {
  it.each([
    [approve, "approved"],
    [deny, "denied"],
  ] as const)(
    "$name brings the run back where it stopped, with the answer [approval.approve] [approval.deny]",
    async (decide, state) => {
      await using project = await openTeam();
      const { run, id } = await waitingRun(project);
      const woken = project.woken.length;
      project.clock.advance(60_000);
      const decided = await callOk(project, person, decide, { id, reason: " because " });
      expect(decided).toMatchObject({ id, state, reason: "because", decidedBy: "user" });
      expect(project.woken.slice(woken)).toEqual(["alice"]);
      expect(project.published.slice(-2)).toMatchObject([
        { type: "approval.decided", approval: id, state, agent: "alice" },
        { type: "run.resumed", run: run.run.id, agent: "alice" },
      ]);
      const resumed = await begin(project);
      expect(resumed).toMatchObject({ run: { id: run.run.id }, finishedSteps: 1 });
      expect(resumed.deliveries.map((each) => each.id)).toEqual(run.deliveries.map((each) => each.id));
      expect(resumed.deliveries[0]?.state).toMatchObject({ attempts: 0, preempted: 0 });
      expect(await ask(project, resumed)).toEqual({ id, state, reason: "because" });
    },
  );

  it("decide once", async () => {
    await using project = await openTeam();
    const { id } = await waitingRun(project);
    await callOk(project, person, deny, { id });
    const before = [project.published.length, project.woken.length];
    expect(await callRefused(project, person, approve, { id })).toMatchObject({
      code: "conflict",
      message: `"${id}" was denied by user already.`,
    });
    expect(await callRefused(project, person, approve, { id: "apr_x" })).toMatchObject({
      code: "not_found",
      hint: expect.stringContaining("approval list"),
    });
    expect([project.published.length, project.woken.length]).toEqual(before);
  });

  it("are for persons, and so is the list", async () => {
    await using project = await openTeam();
    const { run, id } = await waitingRun(project);
    for (const operation of [approve, deny, listApprovals]) {
      expect(await callRefused(project, agentOf(run), operation, { id })).toMatchObject({ code: "forbidden" });
    }
    expect(await pending(project)).toEqual([id]);
    expect(await callRefused(project, person, approve, {})).toMatchObject({ code: "invalid" });
  });
});

describe("list-approvals", () => {
  it("shows every place, or one, direct messages included", async () => {
    await using project = await openTeam();
    const here = await waitingRun(project);
    await send(project, "bob", "hello");
    const direct = await begin(project, "bob");
    project.clock.advance(1);
    const { id } = await ask(project, direct);
    expect(await pending(project)).toEqual([id, here.id]);
    expect(await pending(project, "@review")).toEqual([here.id]);
    expect(await pending(project, "bob")).toEqual([id]);
    expect(await notices(project, "bob")).toEqual([expect.stringContaining("bob wants to run bash")]);
    expect(await callRefused(project, person, listApprovals, { target: "@" })).toMatchObject({ code: "invalid" });
  });

  it("finds those of workspaces in memory by their id too, and refuses a target that is somewhere else", async () => {
    const files = workflowFile("quick", "workspace: { provider: memory }\nagents: { alice: { ref: alice } }\n");
    await using project = await openTeam({ files });
    await callOk(project, person, openWorkspace, { workflow: "quick" });
    await send(project, "@quick", "@alice go");
    const next = () => nextWork(project, { mailbox: "alice", leaseOwner: "own_1" });
    const { begun: run } = await next();
    if (run === null) throw new Error("nothing to do");
    const { id } = await ask(project, run);
    await callOk(project, systemCaller, awaitApproval, { ...held(run), step: STEP, approval: id });
    expect(await pending(project)).toEqual([id]);
    const [said] = await notices(project, "@quick");
    expect(said).toContain(`agent-worker approve ${id}\n`);
    for (const target of ["@elsewhere", "%%% not a target"]) {
      expect(await callRefused(project, person, approve, { id, target })).toMatchObject({ code: "not_found" });
    }
    await callOk(project, person, approve, { id, target: "@quick:main" });
    expect((await next()).begun?.run.id).toBe(run.run.id);
  });
});

describe("[ui.approve-scope] how far a yes reaches", () => {
  const withFile = (id: string, path: string) => ({ id, tool: "write_file", args: { path, content: id } });

  it("for the run: the same call and the same file are not asked about again, others are", async () => {
    await using project = await openTeam();
    await send(project);
    const run = await begin(project);
    const asked = await ask(project, run);
    await callOk(project, person, approve, { id: asked.id, scope: "run" });
    expect(await ask(project, run, { ...CALL, id: "call_2" })).toMatchObject({ state: "approved" });
    const other = { ...CALL, id: "call_3", args: { command: "npm run other" } };
    expect(await ask(project, run, other)).toMatchObject({ state: "pending" });

    const file = await callOk(project, agentOf(run), requestApproval, { call: withFile("call_4", "a.txt") });
    await callOk(project, person, approve, { id: file.id, scope: "run" });
    const again = await callOk(project, agentOf(run), requestApproval, { call: withFile("call_5", "a.txt") });
    const elsewhere = await callOk(project, agentOf(run), requestApproval, { call: withFile("call_6", "b.txt") });
    expect([again.state, elsewhere.state]).toEqual(["approved", "pending"]);
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages.map(({ content }) => content)).toContain(
      "alice may use write_file on a.txt again until its run ends.",
    );
  });

  it("once: the same call is asked about again", async () => {
    await using project = await openTeam();
    await send(project);
    const run = await begin(project);
    await callOk(project, person, approve, { id: (await ask(project, run)).id });
    expect(await ask(project, run, { ...CALL, id: "call_2" })).toMatchObject({ state: "pending" });
  });

  it("always: the rule is shown first, and then written into the file of the agent, beside what is there", async () => {
    await using project = await openTeam();
    await send(project);
    const run = await begin(project);
    const { id } = await ask(project, run);
    const shown = await callOk(project, person, previewAllowRule, { id });
    expect(shown).toMatchObject({ agent: "alice", patterns: ["bash(npm test)"] });
    const path = join(project.dir, shown.file);
    expect(readFileSync(path, "utf8")).toBe(shown.before);
    await callOk(project, person, approve, { id, scope: "always" });
    expect(readFileSync(path, "utf8")).toBe(shown.after);
    expect(shown.after).toContain(shown.before.trimEnd().split("\n")[0]);
    expect(project.definitions.agent("alice")?.permissions?.allow).toEqual(["bash(npm test)"]);
    expect((await callRefused(project, person, approve, { id, scope: "always" })).code).toBe("not_found");
  });
});
