import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE, type Usage } from "../../../src/domain/budget/usage.ts";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import type { BegunRun } from "../../../src/operations/runs/begin-run.ts";
import { checkpointStep } from "../../../src/operations/runs/checkpoint-step.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { showRunUsage } from "../../../src/operations/usage/show-run-usage.ts";
import { showUsage } from "../../../src/operations/usage/show-usage.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { nextWork, runHolder, send } from "../../support/team/leased-run.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, workflowFile } from "../../support/team/team.ts";

const DAY = 24 * 60 * 60_000;

const USED: Usage = {
  inputTokens: 100,
  outputTokens: 20,
  cachedInputTokens: 80,
  cacheWriteTokens: 5,
  reasoningTokens: 15,
  cost: { basis: "reported", usd: 0.25 },
};

function held({ run }: BegunRun) {
  return { run: run.id, space: run.space, leaseOwner: run.leaseOwner, fence: run.fence };
}

/** Answers the next message of the mailbox in as many steps as there are usages. */
async function work(project: TestProject, mailbox: string, usages: readonly Usage[], text = "done"): Promise<BegunRun> {
  const begun = await runHolder(project).begin(mailbox);
  for (const [index, usage] of usages.entries()) {
    const step = { number: index + 1, transcript: "{}", wallMs: 1_000, usage };
    if (index + 1 < usages.length) await callOk(project, systemCaller, checkpointStep, { ...held(begun), step });
    else await callOk(project, systemCaller, settleRun, { ...held(begun), step, result: { kind: "done", text } });
  }
  return begun;
}

describe("show-usage", () => {
  it("sums every step, all classes of tokens, by agent, workspace and day [budget.all-tokens]", async () => {
    await using project = await openTeam();
    await send(project, "@review", "@alice one");
    await work(project, "alice", [USED, USED]);
    await send(project, "alice", "two");
    await work(project, "alice", [USED]);
    project.clock.advance(DAY);
    await send(project, "@review", "@bob three");
    await work(project, "bob", [USED]);

    const { total, agents, spaces, days } = await callOk(project, person, showUsage, {});
    expect(total).toEqual({
      runs: 3,
      steps: 4,
      wallTimeMs: 4_000,
      tokens: { total: 480, input: 400, output: 80, cachedInput: 320, cacheWrite: 20, reasoning: 60, unknownSteps: 0 },
      cost: { basis: "reported", usd: 1, knownUsd: 1, unknownSteps: 0 },
    });
    expect(agents.map(({ agent, usage }) => [agent, usage.runs, usage.steps])).toEqual([
      ["alice", 2, 3],
      ["bob", 1, 1],
    ]);
    expect(spaces.map(({ space, usage }) => [space, usage.steps])).toEqual([
      [REVIEW, 3],
      ["alice", 1],
    ]);
    expect(days.map(({ day, usage }) => [day, usage.steps])).toEqual([
      ["2026-01-05", 3],
      ["2026-01-06", 1],
    ]);
  });

  it("looks at an agent, a workspace, one in the other, or from a day on", async () => {
    await using project = await openTeam();
    await send(project, "@review", "@alice @helper one");
    await work(project, "alice", [USED]);
    await work(project, `helper${REVIEW}`, [USED]);
    await send(project, "alice", "two");
    await work(project, "alice", [USED]);
    const steps = async (data: object) => (await callOk(project, person, showUsage, data)).total.steps;
    expect(await steps({ target: "alice" })).toBe(2);
    expect(await steps({ target: "@review" })).toBe(2);
    expect(await steps({ target: "alice@review" })).toBe(1);
    expect(await steps({ target: "helper@review" })).toBe(1);
    expect(await steps({ target: "carol" })).toBe(0);
    expect(await steps({ since: "2026-01-05" })).toBe(3);
    expect(await steps({ since: "2026-01-06" })).toBe(0);
    expect(await callRefused(project, person, showUsage, { target: "@" })).toMatchObject({ code: "invalid" });
    expect(await callRefused(project, person, showUsage, { since: "yesterday" })).toMatchObject({ code: "invalid" });
  });

  it("shows what is not known as unknown, never as 0 [budget.unknown-cost]", async () => {
    await using project = await openTeam();
    await send(project, "alice", "one");
    await work(project, "alice", [UNKNOWN_USAGE]);
    const unknown = (await callOk(project, person, showUsage, {})).total;
    expect(unknown.cost).toEqual({ basis: "unknown", usd: null, knownUsd: 0, unknownSteps: 1 });
    expect(unknown.tokens).toMatchObject({ input: null, output: null, reasoning: null, unknownSteps: 1 });
    await send(project, "alice", "two");
    await work(project, "alice", [USED, { ...USED, cost: { basis: "estimated", usd: 0.5 } }]);
    const mixed = (await callOk(project, person, showUsage, {})).total;
    expect(mixed.cost).toEqual({ basis: "unknown", usd: null, knownUsd: 0.75, unknownSteps: 1 });
    expect(mixed.tokens).toMatchObject({ total: 240, input: 200, unknownSteps: 1 });
    project.clock.advance(DAY);
    await send(project, "alice", "three");
    await work(project, "alice", [{ ...USED, cost: { basis: "estimated", usd: 0.5 } }]);
    const { total } = await callOk(project, person, showUsage, { since: "2026-01-06" });
    expect(total.cost).toEqual({ basis: "estimated", usd: 0.5, knownUsd: 0.5, unknownSteps: 0 });
  });

  it("counts a run that failed before its first step, and takes nonsense for unknown", async () => {
    await using project = await openTeam();
    await send(project, "alice", "one");
    const leaseOwner = runHolder(project);
    await leaseOwner.fail(await leaseOwner.begin("alice"), "permanent");
    await send(project, "alice", "two");
    await work(project, "alice", [
      { ...USED, inputTokens: -5, outputTokens: Number.NaN, cost: { basis: "reported", usd: -1 } },
    ]);
    const { total } = await callOk(project, person, showUsage, {});
    expect(total).toMatchObject({ runs: 2, steps: 1, tokens: { input: null, output: null, total: 100 } });
    expect(total.cost.basis).toBe("unknown");
  });

  it("survives a restart, and covers workspaces kept in memory as long as they last", async () => {
    const files = workflowFile("quick", "workspace: { provider: memory }\nagents: { bob: { ref: bob } }\n");
    await using first = await openTeam({ files });
    await callOk(first, person, openWorkspace, { workflow: "quick" });
    await send(first, "alice", "one");
    await work(first, "alice", [USED]);
    await send(first, "@quick", "@bob two");
    const { begun } = await nextWork(first, {
      mailbox: "bob",
      leaseOwner: "own_1",
    });
    if (begun === null) throw new Error("nothing to do");
    const step = { number: 1, transcript: "{}", usage: USED };
    await callOk(first, systemCaller, settleRun, { ...held(begun), step, result: { kind: "done", text: "ok" } });
    expect((await callOk(first, person, showUsage, {})).agents.map(({ agent }) => agent)).toEqual(["alice", "bob"]);
    await using project = await first.reopen();
    expect((await callOk(project, person, showUsage, {})).agents.map(({ agent }) => agent)).toEqual(["alice"]);
  });

  it("is for persons", async () => {
    await using project = await openTeam();
    const alice = agentIn(REVIEW, "alice");
    expect(await callRefused(project, alice, showUsage, {})).toMatchObject({ code: "forbidden" });
    expect(await callRefused(project, alice, showRunUsage, { run: "run_x" })).toMatchObject({ code: "forbidden" });
  });
});

describe("show-run-usage", () => {
  it("shows one run, and the chain of messages it belongs to", async () => {
    await using project = await openTeam();
    const { id } = await send(project, "@review", "@alice begin");
    const first = await work(project, "alice", [USED, USED], "@bob go on");
    const second = await work(project, "bob", [USED], "finished");
    await send(project, "@review", "@carol another chain");
    await work(project, "carol", [USED]);
    const answer = await callOk(project, person, showRunUsage, { run: second.run.id });
    expect(answer).toMatchObject({ root: id, run: { steps: 1 }, chain: { runs: 2, steps: 3 }, stopped: null });
    expect(await callOk(project, person, showRunUsage, { run: first.run.id })).toMatchObject({ run: { steps: 2 } });
    const ofMessage = await callOk(project, person, showRunUsage, { message: second.run.cause });
    expect(ofMessage).toMatchObject({ root: id, run: null, chain: { steps: 3, tokens: { total: 360 } } });
    expect(await project.store.read((store) => store.causal.tree(id))).toMatchObject({ tokens: 360, turns: 2 });
  });

  it("refuses what does not exist", async () => {
    await using project = await openTeam();
    expect(await callRefused(project, person, showRunUsage, { run: "run_x" })).toMatchObject({ code: "not_found" });
    expect(await callRefused(project, person, showRunUsage, { message: "msg_x" })).toMatchObject({ code: "not_found" });
    expect(await callRefused(project, person, showRunUsage, {})).toMatchObject({ code: "invalid" });
  });
});
