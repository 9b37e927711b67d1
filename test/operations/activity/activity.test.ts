import { describe, expect, it } from "vitest";
import type { Usage } from "../../../src/domain/budget/usage.ts";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { listUsageHistory } from "../../../src/operations/activity/list-usage-history.ts";
import { showTimeline } from "../../../src/operations/activity/show-timeline.ts";
import { checkpointStep } from "../../../src/operations/runs/checkpoint-step.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { runHolder, send } from "../../support/team/leased-run.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { openTeam, REVIEW } from "../../support/team/team.ts";

const USED: Usage = {
  inputTokens: 100,
  outputTokens: 20,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  cost: { basis: "reported", usd: 0.5 },
};

/** Two steps, the first with a tool that took a second, and an answer. */
async function work(project: TestProject, mailbox: string, text: string, model: string): Promise<string> {
  const begun = await runHolder(project).begin(mailbox);
  const held = { run: begun.run.id, space: begun.run.space, leaseOwner: begun.run.leaseOwner, fence: begun.run.fence };
  const call = { tool: "bash", args: "{}", result: "done", failed: false, wallMs: 1_000 };
  const step = { transcript: "{}", wallMs: 3_000, usage: USED, model };
  await callOk(project, systemCaller, checkpointStep, { ...held, step: { ...step, number: 1, calls: [call] } });
  await callOk(project, systemCaller, settleRun, {
    ...held,
    step: { ...step, number: 2 },
    result: { kind: "done", text },
  });
  return begun.run.id;
}

describe("show-timeline", () => {
  it("says who woke whom, and what took how long, by workspace and by chain [ui.timeline]", async () => {
    await using project = await openTeam();
    await send(project, "@review", "@alice please look");
    const first = await work(project, "alice", "@bob please fix", "a/one");
    const second = await work(project, "bob", "Fixed.", "a/two");
    await send(project, "carol", "hello");
    const third = await work(project, "carol", "Hello.", "a/one");

    const all = await callOk(project, person, showTimeline, {});
    expect(all.runs.map(({ id, wokenBy }) => [id, wokenBy?.from, wokenBy?.run])).toEqual([
      [third, "user", null],
      [second, "alice", first],
      [first, "user", null],
    ]);
    expect(all.runs[2]?.steps).toMatchObject([
      { number: 1, toolMs: 1_000, tools: ["bash"] },
      { number: 2, toolMs: 0, tools: [] },
    ]);
    const ids = async (input: Parameters<typeof callOk>[3]) =>
      ((await callOk(project, person, showTimeline, input as object)) as { runs: { id: string }[] }).runs.map(
        ({ id }) => id,
      );
    expect(await ids({ target: "@review" })).toEqual([second, first]);
    expect(await ids({ chain: second })).toEqual([second, first]);
    expect(await ids({ limit: 1, before: second })).toEqual([first]);
    expect(await callRefused(project, person, showTimeline, { chain: "run_none" })).toMatchObject({
      code: "not_found",
    });
  });
});

describe("list-usage-history", () => {
  it("gives days by agent, workflow, workspace and model, and their sums agree [ui.usage-history]", async () => {
    await using project = await openTeam();
    await send(project, "@review", "@alice please look");
    await work(project, "alice", "Done.", "a/one");
    project.clock.advance(24 * 60 * 60_000);
    await send(project, "@review", "@bob please look");
    await work(project, "bob", "Done.", "a/two");
    for (const [by, keys] of [
      ["agent", ["alice", "bob"]],
      ["workspace", [REVIEW, REVIEW]],
      ["workflow", ["@review", "@review"]],
      ["model", ["a/one", "a/two"]],
    ] as const) {
      const { days } = await callOk(project, person, listUsageHistory, { by });
      expect(days.map(({ key }) => key)).toEqual(keys);
      expect(days.map(({ usage }) => [usage.runs, usage.tokens.total, usage.cost.usd])).toEqual([
        [1, 240, 1],
        [1, 240, 1],
      ]);
    }
  });
});
