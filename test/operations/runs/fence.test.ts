import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemCaller, type Caller } from "../../../src/kernel/caller.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { awaitApproval } from "../../../src/operations/runs/await-approval.ts";
import { checkpointStep } from "../../../src/operations/runs/checkpoint-step.ts";
import { noteModelChange } from "../../../src/operations/runs/note-model-change.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { yieldRun } from "../../../src/operations/runs/yield-run.ts";
import { callTeamTool } from "../../../src/operations/tools/team-tools.ts";
import type { Refusal } from "../../../src/kernel/refusal.ts";
import { callsFor } from "../../support/team/every-team-tool.ts";
import { agentOf, runHolder, runRecord, send } from "../../support/team/leased-run.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentFile, openTeam } from "../../support/team/team.ts";

const TOOLS = "tools: ['*', feedback_submit, rule_add, rule_list, rule_remove]\n";

/** Everything that an operation can change: the events of the store and the files of the project. */
async function state(project: TestProject): Promise<unknown> {
  const cursor = await project.store.read((store) => store.events.last());
  const files = readdirSync(project.dir, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.includes(".db") && statSync(join(project.dir, path)).isFile())
    .map((path) => [path, readFileSync(join(project.dir, path), "utf8")]);
  return { cursor, files };
}

async function everyTool(project: TestProject, caller: Caller): Promise<string[]> {
  const definition = project.definitions.agent("alice");
  if (definition === undefined || caller.kind !== "agent") throw new Error("there is no alice");
  const answers: string[] = [];
  for (const [index, { name, args }] of callsFor("late", "bal_1").entries()) {
    const named = { ...caller, call: `call-${index}` };
    const { content, isError } = await callTeamTool(project.system, named, name, args, definition);
    answers.push(`${isError ? "refused" : "done"}: ${content}`);
  }
  return answers;
}

describe("a run that was taken over", () => {
  it("[run.fence] changes nothing by any tool, neither rows nor files, and the new owner goes on", async () => {
    await using project = await openTeam({ files: agentFile("alice", TOOLS) });
    const zombie = runHolder(project, "own_zombie");
    await send(project, "alice@review", "hello");
    const before = await zombie.begin("alice");
    await callOk(project, agentOf(before), sendMessage, { message: "I begin" });
    const owner = runHolder(project, "own_new");
    await owner.recover();
    const after = await owner.begin("alice");
    expect(after.run).toMatchObject({ id: before.run.id, fence: before.run.fence + 1 });

    const untouched = await state(project);
    const answers = await everyTool(project, agentOf(before));
    expect(answers.length).toBeGreaterThan(15);
    for (const answer of answers) expect(answer).toMatch(/^refused: .*it was taken over/);
    expect(await state(project)).toEqual(untouched);

    expect(await everyTool(project, agentOf(after))).toContainEqual(expect.stringMatching(/^done/));
    expect(await owner.succeed(after, "done")).toMatchObject({ outcome: "answered" });
  });

  it("[run.fence] stores no step, settles nothing, and puts nothing aside, even under the name of the new owner", async () => {
    await using project = await openTeam();
    await send(project, "alice", "hello");
    const first = runHolder(project, "own_1");
    const before = await first.begin("alice");
    await first.park(before);
    const after = await first.begin("alice");
    const { id: run, space, leaseOwner, fence } = before.run;
    const stale = { run, space, leaseOwner, fence };
    const step = { number: 1, transcript: "[]" };
    const refusals: Refusal[] = [
      await callRefused(project, systemCaller, checkpointStep, { ...stale, step }),
      await callRefused(project, systemCaller, settleRun, { ...stale, result: { kind: "done", text: "late" } }),
      await callRefused(project, systemCaller, yieldRun, stale),
      await callRefused(project, systemCaller, awaitApproval, { ...stale, step, approval: "apr_1" }),
      await callRefused(project, systemCaller, noteModelChange, {
        ...stale,
        from: "a/b",
        to: "c/d",
        reason: "no",
        since: 1,
      }),
    ];
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: "lease_lost", details: { used: fence } });
    expect(await runRecord(project, after)).toMatchObject({ state: "open", fence: fence + 1 });
    expect(await project.store.read((store) => store.runs.lastStep(run))).toBeUndefined();
  });

  it("[run.fence] is refused as well when it has ended or was put aside", async () => {
    await using project = await openTeam();
    const holder = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await holder.begin("alice");
    await holder.park(begun);
    const say = () => callRefused(project, agentOf(begun), sendMessage, { to: "bob", message: "late" });
    expect(await say()).toMatchObject({ code: "lease_lost", message: expect.stringContaining("put aside") });
    const again = await holder.begin("alice");
    await holder.succeed(again, "done");
    const late = await callRefused(project, agentOf(again), sendMessage, { to: "bob", message: "late" });
    expect(late).toMatchObject({ code: "lease_lost", message: expect.stringContaining("ended") });
  });
});

describe("a mailbox", () => {
  it("[run.one-open] has one open run in the whole store: a second claim finds it busy and leases nothing", async () => {
    await using project = await openTeam();
    await send(project, "alice", "hello");
    const begun = await runHolder(project, "own_1").begin("alice");
    await send(project, "@review", "@alice more");
    const other = runHolder(project, "own_2");
    expect(await other.next("alice")).toBeNull();
    expect(await project.store.read((store) => store.runs.openOf("alice"))).toMatchObject({ id: begun.run.id });
    await runHolder(project, "own_1").succeed(begun, "done");
    expect((await other.begin("alice")).run.leaseOwner).toBe("own_2");
  });
});
