import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE, type Usage } from "../../../src/domain/budget/usage.ts";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { approve } from "../../../src/operations/approvals/approve.ts";
import { requestApproval } from "../../../src/operations/approvals/request-approval.ts";
import { listDeadLetters } from "../../../src/operations/dead-letters/list-dead-letters.ts";
import { retryDeadLetter } from "../../../src/operations/dead-letters/retry-dead-letter.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { awaitApproval } from "../../../src/operations/runs/await-approval.ts";
import type { BegunRun } from "../../../src/operations/runs/begin-run.ts";
import { checkpointStep } from "../../../src/operations/runs/checkpoint-step.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { yieldRun } from "../../../src/operations/runs/yield-run.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { agentOf, runHolder, runRecord, send } from "../../support/team/leased-run.ts";
import { callOk, type TestProject } from "../../support/team/project.ts";
import { agentFile, agentIn, openTeam, REVIEW, workflowFile } from "../../support/team/team.ts";

const DAY = 24 * 60 * 60_000;

function tokens(count: number): Usage {
  return { ...UNKNOWN_USAGE, inputTokens: count, outputTokens: 0 };
}

function held({ run }: BegunRun) {
  return { run: run.id, space: run.space, leaseOwner: run.leaseOwner, fence: run.fence };
}

function step(project: TestProject, begun: BegunRun, number: number, usage: Usage, wallMs = 0) {
  return callOk(project, systemCaller, checkpointStep, {
    ...held(begun),
    step: { number, transcript: "{}", usage, wallMs },
  });
}

function finish(project: TestProject, begun: BegunRun, number: number, usage: Usage, text = "done") {
  const data = { ...held(begun), step: { number, transcript: "{}", usage }, result: { kind: "done" as const, text } };
  return callOk(project, systemCaller, settleRun, data);
}

async function notices(project: TestProject, target = "@review"): Promise<string[]> {
  const { messages } = await callOk(project, person, peekChannel, { target, limit: 500 });
  return messages.filter(({ kind }) => kind === "notice").map(({ content }) => content);
}

async function dead(project: TestProject) {
  const { deliveries } = await callOk(project, person, listDeadLetters, {});
  return deliveries.map(({ agent, reason, message }) => [agent, message.content, reason]);
}

function workflow(budget: string): Record<string, string> {
  const agents = ["alice", "bob", "carol"].map((name) => `  ${name}: { ref: ${name} }\n`).join("");
  return workflowFile("review", `budget: ${budget}\nagents:\n${agents}`);
}

describe("the budget of an agent", () => {
  it("stops a run before the step that would exceed it, and says so [budget.agent]", async () => {
    await using project = await openTeam({ files: agentFile("alice", "budget: { tokens: 100 }\n") });
    await send(project, "@review", "@alice go");
    const begun = await runHolder(project).begin("alice");
    expect(await step(project, begun, 1, tokens(99))).toEqual({ yielded: false, stopped: null });
    const reason = "The budget of alice for 2026-01-05 (UTC) is used up: 100 tokens.";
    expect(await step(project, begun, 2, tokens(30))).toEqual({ yielded: false, stopped: reason });
    expect(await runRecord(project, begun)).toMatchObject({ state: "ended", outcome: "incomplete", reason });
    expect(await dead(project)).toEqual([["alice", "@alice go", reason]]);
    expect(await notices(project)).toEqual([
      `${reason} Raise it in the file that sets it, then retry the dead letters.`,
    ]);
    expect(project.published.filter(({ type }) => type === "budget.reached")).toMatchObject([
      { space: REVIEW, agent: "alice", reason },
    ]);
  });

  it("starts no run once it is used up, anywhere, until the next day [budget.agent]", async () => {
    await using project = await openTeam({ files: agentFile("alice", "budget: { cost_usd: 1 }\n") });
    const { next, begin } = runHolder(project);
    await send(project, "alice", "one");
    await finish(project, await begin("alice"), 1, { ...UNKNOWN_USAGE, cost: { basis: "estimated", usd: 1 } });
    const asked = await send(project, "@review", "@alice two");
    expect(await next("alice")).toBeNull();
    const reason = "The budget of alice for 2026-01-05 (UTC) is used up: $1.";
    expect(await dead(project)).toEqual([["alice", "@alice two", reason]]);
    expect(await notices(project)).toHaveLength(1);
    const again = await send(project, "@review", "@alice three");
    expect(await next("alice")).toBeNull();
    // Whoever asks is answered, but the limit itself is announced once.
    expect(await notices(project)).toEqual([
      expect.stringContaining("Raise it"),
      `alice could not answer ${again.id}: ${reason}`,
    ]);
    expect(asked.id).not.toBe(again.id);
    project.clock.advance(DAY);
    await send(project, "@review", "@alice four");
    expect(await next("alice")).not.toBeNull();
  });

  it("of turns counts what is under way, and needs nothing to be reported", async () => {
    await using project = await openTeam({ files: agentFile("alice", "budget: { turns: 2 }\n") });
    const { next, begin, park } = runHolder(project);
    await send(project, "alice@review", "one");
    const first = await begin("alice");
    await park(first);
    await send(project, "alice", "two");
    await finish(project, await begin("alice"), 1, UNKNOWN_USAGE);
    await send(project, "@review", "@alice three");
    expect((await next("alice"))?.run.id).toBe(first.run.id);
    expect(await dead(project)).toEqual([["alice", "@alice three", expect.stringContaining("2 turns")]]);
  });

  it("of wall time counts the work of one run, not its waiting", async () => {
    await using project = await openTeam({ files: agentFile("alice", "budget: { wall_time: 10s }\n") });
    await send(project, "@review", "@alice go");
    const leaseOwner = runHolder(project);
    const begun = await leaseOwner.begin("alice");
    expect(await step(project, begun, 1, UNKNOWN_USAGE, 9_999)).toMatchObject({ stopped: null });
    await callOk(project, systemCaller, yieldRun, held(begun));
    project.clock.advance(DAY / 24);
    const resumed = await leaseOwner.begin("alice");
    expect(resumed.run.id).toBe(begun.run.id);
    expect((await step(project, resumed, 2, UNKNOWN_USAGE, 1)).stopped).toContain(
      "for one run is used up: 10s of work",
    );
    await send(project, "@review", "@alice again");
    expect(await leaseOwner.next("alice")).not.toBeNull();
  });

  it("can be set by the workflow that takes the agent in, for its workspace", async () => {
    const files = workflowFile("review", "agents: { alice: { ref: alice, budget: { turns: 1 } } }\n");
    await using project = await openTeam({ files });
    const leaseOwner = runHolder(project);
    await send(project, "@review", "@alice one");
    await finish(project, await leaseOwner.begin("alice"), 1, UNKNOWN_USAGE);
    await send(project, "@review", "@alice two");
    expect(await leaseOwner.next("alice")).toBeNull();
    await send(project, "alice", "directly");
    expect(await leaseOwner.next("alice")).not.toBeNull();
  });

  it("that a person raises lets the dead letters be retried", async () => {
    await using project = await openTeam({ files: agentFile("alice", "budget: { turns: 1 }\n") });
    const leaseOwner = runHolder(project);
    await send(project, "alice", "one");
    await finish(project, await leaseOwner.begin("alice"), 1, UNKNOWN_USAGE);
    await send(project, "alice", "two");
    expect(await leaseOwner.next("alice")).toBeNull();
    const { deliveries } = await callOk(project, person, listDeadLetters, {});
    for (const [path, text] of Object.entries(agentFile("alice", "budget: { turns: 20 }\n"))) project.write(path, text);
    await callOk(project, person, retryDeadLetter, { id: deliveries[0]?.id ?? "" });
    expect((await leaseOwner.begin("alice")).deliveries.map(({ id }) => id)).toEqual(deliveries.map(({ id }) => id));
  });

  it("ends a run that was aside when it was used up", async () => {
    await using project = await openTeam({ files: agentFile("alice", "budget: { tokens: 100 }\n") });
    const leaseOwner = runHolder(project);
    await send(project, "@review", "@alice go");
    const begun = await leaseOwner.begin("alice");
    const call = { id: "call_1", tool: "bash", args: { command: "ls" } };
    const { id } = await callOk(project, agentOf(begun), requestApproval, { call });
    const kept = { number: 1, transcript: "{}", usage: tokens(100) };
    await callOk(project, systemCaller, awaitApproval, { ...held(begun), step: kept, approval: id });
    await callOk(project, person, approve, { id });
    expect(await leaseOwner.next("alice")).toBeNull();
    expect(await runRecord(project, begun)).toMatchObject({
      outcome: "incomplete",
      reason: expect.stringContaining("100 tokens"),
    });
    expect(await dead(project)).toHaveLength(1);
  });
});

describe("the budget of a workflow", () => {
  it("stops all its agents, says so once, and waits for a person [budget.workflow]", async () => {
    await using project = await openTeam({ files: workflow("{ tokens: 100 }") });
    const leaseOwner = runHolder(project);
    const kickoff = await send(project, "@review", "@alice @bob begin");
    const alice = await leaseOwner.begin("alice");
    const bob = await leaseOwner.begin("bob");
    await callOk(project, agentIn(REVIEW, "bob", kickoff.id), sendMessage, { message: "@carol join in" });
    // Both were under way when it was reached: that is how far it can be passed.
    const reason = "The budget of @review is used up: 100 tokens.";
    expect(await step(project, alice, 1, tokens(60))).toMatchObject({ stopped: null });
    expect(await step(project, bob, 1, tokens(60))).toMatchObject({ stopped: reason });
    expect(await step(project, alice, 2, tokens(60))).toMatchObject({ stopped: reason });
    expect(await leaseOwner.next("carol")).toBeNull();
    expect(new Set((await dead(project)).map(([agent]) => agent))).toEqual(new Set(["alice", "bob", "carol"]));
    expect((await notices(project)).filter((text) => !text.startsWith("alice could not answer"))).toEqual([
      expect.stringContaining(reason),
    ]);
    await send(project, "alice", "elsewhere is not concerned");
    expect(await leaseOwner.next("alice")).not.toBeNull();
  });

  it("begins anew when the workspace is opened again", async () => {
    await using project = await openTeam({ files: workflow("{ turns: 1 }") });
    const leaseOwner = runHolder(project);
    await send(project, "@review", "@alice one");
    await finish(project, await leaseOwner.begin("alice"), 1, UNKNOWN_USAGE);
    await send(project, "@review", "@bob two");
    expect(await leaseOwner.next("bob")).toBeNull();
    await callOk(project, person, closeWorkspace, { target: "@review" });
    project.clock.advance(1);
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await send(project, "@review", "@bob three");
    expect(await leaseOwner.next("bob")).not.toBeNull();
  });

  it("gives the last turn to one of many that are woken at once", async () => {
    await using project = await openTeam({ files: workflow("{ turns: 2 }") });
    const leaseOwner = runHolder(project);
    await send(project, "@review", "@all go");
    const begun = [await leaseOwner.next("alice"), await leaseOwner.next("bob"), await leaseOwner.next("carol")];
    expect(begun.filter((run) => run !== null)).toHaveLength(2);
    expect(await dead(project)).toHaveLength(1);
  });

  it("of wall time counts the work of all", async () => {
    await using project = await openTeam({ files: workflow("{ wall_time: 10s }") });
    const leaseOwner = runHolder(project);
    await send(project, "@review", "@alice @bob go");
    const alice = await leaseOwner.begin("alice");
    expect(await step(project, alice, 1, UNKNOWN_USAGE, 6_000)).toMatchObject({ stopped: null });
    const bob = await leaseOwner.begin("bob");
    expect((await step(project, bob, 1, UNKNOWN_USAGE, 6_000)).stopped).toContain("10s of work");
  });
});

describe("the budget of a chain of messages", () => {
  it("takes its limits from the workflow, then from the project [causal.charged-at-send]", async () => {
    const files = { ...workflow("{ hops: 1 }"), "moniro.yaml": "defaults: { budget: { hops: 2 } }\n" };
    await using project = await openTeam({ files });
    const recipients = async (space: string, depth: number) => {
      let cause = (await send(project, space.startsWith("@") ? space : "alice", "@alice go")).id;
      for (let hop = 1; hop < depth; hop += 1) {
        const place = space.startsWith("@") ? REVIEW : "alice";
        cause = (
          await callOk(project, agentIn(place, hop % 2 === 1 ? "alice" : "bob", cause), sendMessage, {
            message: "@bob @alice on",
          })
        ).id;
      }
      const speaker = agentIn(REVIEW, depth % 2 === 1 ? "alice" : "bob", cause);
      return (await callOk(project, speaker, sendMessage, { message: "@bob @alice more" })).recipients.length;
    };
    expect(await recipients("@review", 1)).toBe(1);
    expect(await recipients("@review", 2)).toBe(0);
    for (const [path, text] of Object.entries(workflow("{ turns: 9 }"))) project.write(path, text);
    await project.definitions.refresh();
    expect(await recipients("@review", 2)).toBe(1);
    expect(await recipients("@review", 3)).toBe(0);
  });

  it("is charged the tokens of every step, and stops the run that used the last [causal.tokens]", async () => {
    await using project = await openTeam({
      files: { "moniro.yaml": "defaults: { budget: { tokens: 1000, hops: 9 } }\n" },
    });
    const leaseOwner = runHolder(project);
    const { id } = await send(project, "@review", "@alice go");
    const alice = await leaseOwner.begin("alice");
    await step(project, alice, 1, tokens(400));
    await finish(project, alice, 2, tokens(400), "@bob your turn");
    expect(await project.store.read((store) => store.causal.tree(id))).toMatchObject({ tokens: 800, tripped: null });
    const bob = await leaseOwner.begin("bob");
    const { stopped } = await step(project, bob, 1, tokens(400));
    expect(stopped).toBe(
      "This chain of messages has reached its limit of 1000 tokens. It goes on when a person writes.",
    );
    expect(await runRecord(project, bob)).toMatchObject({ outcome: "incomplete", reason: stopped });
    expect(await dead(project)).toEqual([["bob", "@bob your turn", stopped]]);
    expect(await notices(project)).toEqual([`${stopped} Go on with: agent-worker send @review "go on"`]);
    expect(await project.store.read((store) => store.causal.tree(id))).toMatchObject({ tokens: 1000 });
  });

  it("that is reached with the last step keeps the answer and wakes nobody by it [causal.tokens]", async () => {
    await using project = await openTeam({ files: { "moniro.yaml": "defaults: { budget: { tokens: 1000 } }\n" } });
    const leaseOwner = runHolder(project);
    await send(project, "@review", "@alice go");
    await finish(project, await leaseOwner.begin("alice"), 1, tokens(1001), "@bob the answer");
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages.map(({ content }) => content)).toEqual([
      "@alice go",
      "@bob the answer",
      expect.stringContaining("1000 tokens"),
    ]);
    expect(await leaseOwner.next("bob")).toBeNull();
  });

  it("is charged by a silent run too", async () => {
    await using project = await openTeam();
    const { id } = await send(project, "@review", "@alice go");
    await finish(project, await runHolder(project).begin("alice"), 1, tokens(70), "");
    expect(await project.store.read((store) => store.causal.tree(id))).toMatchObject({ tokens: 70 });
  });
});
