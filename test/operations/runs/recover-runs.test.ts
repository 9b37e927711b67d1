import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { recoverRuns } from "../../../src/operations/runs/recover-runs.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import {
  agentOf,
  deliveriesOf,
  messagesIn,
  runHolder,
  runRecord,
  send,
  textsOf,
} from "../../support/team/leased-run.ts";
import { callOk, callRefused } from "../../support/team/project.ts";
import { openTeam, REVIEW } from "../../support/team/team.ts";

const MAX_RECOVERIES = 10;
const LONGEST_WAIT_MS = 60_000;

describe("a daemon that starts after another died", () => {
  it("finds what was left, gives it back at no attempt, and goes on after the last step [run.recovery-scan]", async () => {
    await using project = await openTeam();
    const dead = runHolder(project, "own_dead");
    await send(project, "alice@review", "one");
    await send(project, "alice@review", "two");
    await send(project, "bob", "never begun");
    const left = await dead.begin("alice");
    await dead.step(left, 1);

    await using reopened = await project.reopen();
    const alive = runHolder(reopened, "own_alive");
    expect(await alive.recover()).toEqual({ runs: 1, buried: 0 });
    expect(reopened.woken).toEqual(["alice"]);
    const back = {
      state: { status: "pending", attempts: 0, preempted: 0, notBefore: null },
      leaseOwner: null,
      run: left.run.id,
    };
    expect(await deliveriesOf(reopened, left)).toMatchObject([back, back]);
    expect(await reopened.store.read((store) => store.deliveries.mailboxesWithPending())).toEqual(["alice", "bob"]);
    const again = await alive.begin("alice");
    expect(again).toMatchObject({ run: { id: left.run.id, leaseOwner: "own_alive" }, finishedSteps: 1 });
    expect(await textsOf(reopened, again)).toEqual(["one", "two"]);
  });

  it("takes nothing from itself, and nothing twice", async () => {
    await using project = await openTeam();
    const dead = runHolder(project, "own_dead");
    const alive = runHolder(project, "own_alive");
    await send(project, "alice", "hello");
    await send(project, "bob", "hello");
    await dead.begin("alice");
    const own = await alive.begin("bob");
    expect(await alive.recover()).toEqual({ runs: 1, buried: 0 });
    expect(await alive.recover()).toEqual({ runs: 0, buried: 0 });
    expect(await deliveriesOf(project, own)).toMatchObject([{ state: { status: "leased" }, leaseOwner: "own_alive" }]);
    expect(await alive.succeed(own, "hi")).toMatchObject({ outcome: "answered" });
  });

  it("leaves a run alone that was put aside properly", async () => {
    await using project = await openTeam();
    const dead = runHolder(project, "own_dead");
    await send(project, "alice", "hello");
    const parked = await dead.begin("alice");
    await dead.park(parked);
    const alive = runHolder(project, "own_alive");
    expect(await alive.recover()).toEqual({ runs: 0, buried: 0 });
    expect((await alive.begin("alice")).run.id).toBe(parked.run.id);
  });

  it("is for the system alone", async () => {
    await using project = await openTeam();
    expect(await callRefused(project, person, recoverRuns, { leaseOwner: "own_1" })).toMatchObject({
      code: "forbidden",
    });
  });

  it("ends a run whose agent had acknowledged everything", async () => {
    await using project = await openTeam();
    const left = await (async () => {
      await send(project, "alice", "hello");
      return runHolder(project, "own_dead").begin("alice");
    })();
    await callOk(project, agentOf(left), ackDeliveries, { ids: left.deliveries.map(({ id }) => id) });
    const alive = runHolder(project, "own_alive");
    expect(await alive.recover()).toEqual({ runs: 1, buried: 0 });
    expect(await runRecord(project, left)).toMatchObject({ state: "ended", outcome: "stopped" });
    expect(await alive.next("alice")).toBeNull();
  });
});

describe("a run that daemons die of", () => {
  it("is given up when it never finishes a step, and its sender is told", async () => {
    await using project = await openTeam();
    const { id } = await send(project, "@review", "@alice this is deadly");
    const left = await runHolder(project, "own_0").begin("alice");
    for (let death = 1; death <= MAX_RECOVERIES; death += 1) {
      const life = runHolder(project, `own_${death}`);
      expect(await life.recover()).toEqual({ runs: 1, buried: 0 });
      project.clock.advance(LONGEST_WAIT_MS);
      expect((await life.begin("alice")).run.id).toBe(left.run.id);
    }
    const last = runHolder(project, "own_last");
    expect(await last.recover()).toEqual({ runs: 1, buried: 1 });
    const reason = `The daemon died ${MAX_RECOVERIES + 1} times while working on this.`;
    expect(await deliveriesOf(project, left)).toMatchObject([{ state: { status: "dead", reason, attempts: 0 } }]);
    expect(await runRecord(project, left)).toMatchObject({ state: "ended", outcome: "failed", detail: reason });
    expect((await messagesIn(project, REVIEW)).at(-1)).toMatchObject({
      kind: "notice",
      body: expect.stringContaining(`${id}: ${reason}`),
    });
    expect(await last.next("alice")).toBeNull();
  });

  it("waits longer after each death", async () => {
    await using project = await openTeam();
    await send(project, "alice", "this is deadly");
    await runHolder(project, "own_0").begin("alice");
    const waits: (number | null)[] = [];
    for (let death = 1; death <= 5; death += 1) {
      const life = runHolder(project, `own_${death}`);
      await life.recover();
      const due = await project.store.read((store) => store.deliveries.nextDue("alice", project.clock.now()));
      waits.push(due === null ? null : due - project.clock.now());
      project.clock.advance(LONGEST_WAIT_MS);
      await life.begin("alice");
    }
    expect(waits).toEqual([null, null, 1_000, 2_000, 4_000]);
  });

  it("pays alone: a death that another may have caused counts against neither [run.death-charged-alone]", async () => {
    await using project = await openTeam();
    await send(project, "alice", "this is deadly");
    await send(project, "bob", "this is not");
    const both = runHolder(project, "own_both");
    const deadly = await both.begin("alice");
    const innocent = await both.begin("bob");
    for (let death = 1; death <= 3 * MAX_RECOVERIES; death += 1) {
      const life = runHolder(project, `own_${death}`);
      expect(await life.recover()).toEqual({ runs: 2, buried: 0 });
      project.clock.advance(2 * LONGEST_WAIT_MS);
      await life.begin("alice");
      await life.begin("bob");
    }
    expect((await runRecord(project, innocent))?.recoveries).toBeLessThan(MAX_RECOVERIES);
    // From now on the deadly one is tried by itself, as their waits make it.
    for (let death = 1; (await runRecord(project, deadly))?.state !== "ended"; death += 1) {
      expect(death).toBeLessThan(2 * MAX_RECOVERIES);
      const life = runHolder(project, `own_alone_${death}`);
      await life.recover();
      project.clock.advance(2 * LONGEST_WAIT_MS);
      await life.next("alice");
    }
    expect(await runRecord(project, deadly)).toMatchObject({ outcome: "failed" });
    expect(await runRecord(project, innocent)).toMatchObject({ state: "parked" });
  });

  it("is not given up as long as it gets on", async () => {
    await using project = await openTeam();
    await send(project, "alice", "long work");
    const left = await runHolder(project, "own_0").begin("alice");
    for (let death = 1; death <= 2 * MAX_RECOVERIES; death += 1) {
      const life = runHolder(project, `own_${death}`);
      expect(await life.recover()).toEqual({ runs: 1, buried: 0 });
      project.clock.advance(LONGEST_WAIT_MS);
      const again = await life.begin("alice");
      if (death % MAX_RECOVERIES === 0) await life.step(again, again.finishedSteps + 1);
    }
    expect(await runRecord(project, left)).toMatchObject({ state: "open", recoveries: 0 });
  });

  it("has got on, too, when a step finished and the run failed in the same moment", async () => {
    await using project = await openTeam();
    await send(project, "alice", "long work");
    await runHolder(project, "own_dead").begin("alice");
    const life = runHolder(project, "own_alive");
    await life.recover();
    const again = await life.begin("alice");
    expect(again.run.recoveries).toBe(1);
    const held = { run: again.run.id, space: again.run.space, leaseOwner: life.leaseOwner, fence: again.run.fence };
    const result = { kind: "failed", class: "transient", message: "no luck" } as const;
    await callOk(project, systemCaller, settleRun, { ...held, step: { number: 1, transcript: "[]" }, result });
    expect(await runRecord(project, again)).toMatchObject({ state: "parked", recoveries: 0 });
  });
});
