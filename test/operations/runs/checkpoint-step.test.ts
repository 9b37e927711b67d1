import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { checkpointStep } from "../../../src/operations/runs/checkpoint-step.ts";
import { agentOf, runHolder, send } from "../../support/team/leased-run.ts";
import { callOk, callRefused } from "../../support/team/project.ts";
import { openTeam } from "../../support/team/team.ts";

const step = { number: 1, transcript: "[]" };

describe("a finished step", () => {
  it("is kept, with what the next one continues from [run.checkpoint]", async () => {
    await using project = await openTeam();
    const { begin, step: finish } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    await finish(begun, 1);
    await finish(begun, 2);
    await using reopened = await project.reopen();
    const last = await reopened.store.read((store) => store.runs.lastStep(begun.run.id));
    expect(last).toMatchObject({ number: 2 });
    expect(await reopened.store.read((store) => store.runs.transcript(begun.run.id))).toBe('["step 2"]');
  });

  it("cannot be kept twice, and trying costs the run nothing", async () => {
    await using project = await openTeam();
    const { begin, step: finish, succeed } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    await finish(begun, 1);
    await expect(finish(begun, 1)).rejects.toThrow(/UNIQUE constraint/);
    await finish(begun, 2);
    expect(await succeed(begun, "done")).toMatchObject({ outcome: "answered" });
  });

  it("is refused from anyone but the lease owner, and when the run is over", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    await send(project, "alice", "hello");
    const { run, agent } = await begin("alice");
    const asked = { run: run.id, space: run.space, fence: run.fence, step };
    expect(await callRefused(project, systemCaller, checkpointStep, { ...asked, leaseOwner: "own_2" })).toMatchObject({
      code: "lease_lost",
    });
    expect(await callRefused(project, person, checkpointStep, { ...asked, leaseOwner: "own_1" })).toMatchObject({
      code: "forbidden",
    });
    expect(
      await callRefused(project, systemCaller, checkpointStep, { ...asked, run: "run_none", leaseOwner: "own_1" }),
    ).toMatchObject({ code: "not_found" });
    await succeed({ run, agent, deliveries: [], finishedSteps: 0 }, "done");
    expect(await callRefused(project, systemCaller, checkpointStep, { ...asked, leaseOwner: "own_1" })).toMatchObject({
      code: "lease_lost",
    });
    expect(await project.store.read((store) => store.runs.lastStep(run.id))).toBeUndefined();
  });
});

describe("after a step a run", () => {
  it.each([
    { running: "alice@review", arrives: "alice", yields: true },
    { running: "alice@review", arrives: "alice@review", yields: false },
    { running: "alice", arrives: "alice", yields: false },
    { running: "alice", arrives: "alice@review", yields: false },
    { running: "alice@review", arrives: "bob", yields: false },
  ])(
    "that works on $running gives way to $arrives: $yields [lane.preempt-decision]",
    async ({ running, arrives, yields }) => {
      await using project = await openTeam();
      const { begin, step: finish } = runHolder(project);
      await send(project, running, "first");
      const begun = await begin("alice");
      await send(project, arrives, "second");
      expect(await finish(begun, 1)).toMatchObject({ yielded: yields });
    },
  );

  it("does not give way when it has nothing left to come back with", async () => {
    await using project = await openTeam();
    const { begin, step: finish, succeed } = runHolder(project);
    await send(project, "alice@review", "first");
    const begun = await begin("alice");
    await callOk(project, agentOf(begun), ackDeliveries, { ids: begun.deliveries.map(({ id }) => id) });
    await send(project, "alice", "urgent");
    expect(await finish(begun, 1)).toMatchObject({ yielded: false });
    expect(await succeed(begun, "and now I am done")).toEqual({ outcome: "answered", resumeAt: null, more: true });
  });
});
