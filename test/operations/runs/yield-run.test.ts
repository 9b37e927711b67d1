import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { listAgents } from "../../../src/operations/agents/list-agents.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { yieldRun } from "../../../src/operations/runs/yield-run.ts";
import { agentOf, deliveriesOf, runHolder, runRecord, send } from "../../support/team/leased-run.ts";
import { callOk, callRefused } from "../../support/team/project.ts";
import { openTeam } from "../../support/team/team.ts";

describe("putting a run aside", () => {
  it("gives its deliveries back at no attempt, as preempted once more, and keeps them with the run", async () => {
    await using project = await openTeam();
    const { begin, park } = runHolder(project);
    await send(project, "alice@review", "one");
    await send(project, "alice@review", "two");
    const begun = await begin("alice");
    expect(await park(begun)).toEqual({ parked: true });
    expect(await runRecord(project, begun)).toMatchObject({ state: "parked", outcome: null });
    const back = { state: { status: "pending", attempts: 0, preempted: 1 }, leaseOwner: null, run: begun.run.id };
    expect(await deliveriesOf(project, begun)).toMatchObject([back, back]);
  });

  it("is announced, and what its agent does is since then, and since it goes on [terminal.chat]", async () => {
    await using project = await openTeam();
    const { begin, park } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    project.clock.advance(60_000);
    await park(begun);
    const since = async () => {
      const { agents } = await callOk(project, person, listAgents, {});
      const { state, work } = agents.find(({ name }) => name === "alice") ?? {};
      return { state, after: Date.parse(work?.since ?? "") - begun.run.startedAt };
    };
    expect(await since()).toEqual({ state: "parked", after: 60_000 });
    project.clock.advance(60_000);
    await begin("alice");
    expect(await since()).toEqual({ state: "running", after: 120_000 });
    expect(project.published.filter(({ type }) => type === "run.parked")).toMatchObject([{ run: begun.run.id }]);
  });

  it("is refused from anyone but the lease owner, and a second time", async () => {
    await using project = await openTeam();
    const { begin, park } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    const asked = { run: begun.run.id, space: begun.run.space, leaseOwner: "own_2", fence: begun.run.fence };
    expect(await callRefused(project, systemCaller, yieldRun, asked)).toMatchObject({ code: "lease_lost" });
    expect(await callRefused(project, person, yieldRun, { ...asked, leaseOwner: "own_1" })).toMatchObject({
      code: "forbidden",
    });
    await park(begun);
    expect(await callRefused(project, systemCaller, yieldRun, { ...asked, leaseOwner: "own_1" })).toMatchObject({
      code: "lease_lost",
    });
    expect(await deliveriesOf(project, begun)).toMatchObject([{ state: { preempted: 1 } }]);
  });

  it("ends a run whose agent has acknowledged everything: nothing would bring it back", async () => {
    await using project = await openTeam();
    const { begin, park, next } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    await callOk(project, agentOf(begun), ackDeliveries, { ids: begun.deliveries.map(({ id }) => id) });
    expect(await park(begun)).toEqual({ parked: false });
    expect(await runRecord(project, begun)).toMatchObject({ state: "ended", outcome: "stopped" });
    expect(await next("alice")).toBeNull();
  });

  it("is for good once the last of its deliveries is acknowledged", async () => {
    await using project = await openTeam();
    const { begin, park } = runHolder(project);
    await send(project, "alice", "one");
    await send(project, "alice", "two");
    const begun = await begin("alice");
    await park(begun);
    const [one, two] = begun.deliveries.map(({ id }) => id);
    await callOk(project, person, ackDeliveries, { ids: [one ?? ""] });
    expect(await runRecord(project, begun)).toMatchObject({ state: "parked" });
    await callOk(project, person, ackDeliveries, { ids: [two ?? ""] });
    expect(await runRecord(project, begun)).toMatchObject({ state: "ended", outcome: "stopped" });
    expect(project.published.at(-1)).toMatchObject({ type: "run.ended", run: begun.run.id, outcome: "stopped" });
  });
});
