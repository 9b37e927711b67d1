import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { listDeadLetters } from "../../../src/operations/dead-letters/list-dead-letters.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { beginRun } from "../../../src/operations/runs/begin-run.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { failingRandom } from "../../support/failing-random.ts";
import {
  agentOf,
  deliveriesOf,
  messagesIn,
  runHolder,
  runRecord,
  send,
  textsOf,
  nextWork,
} from "../../support/team/leased-run.ts";
import { callOk, callRefused } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const WAIT_PER_PROMOTION_MS = 5 * 60_000;

const PROMOTION = WAIT_PER_PROMOTION_MS;

describe("a run that begins", () => {
  it("is on record with its leases before anything is executed", async () => {
    await using project = await openTeam();
    const { begin } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    expect(begun.finishedSteps).toBe(0);
    expect(await runRecord(project, begun)).toMatchObject({
      state: "open",
      leaseOwner: "own_1",
      space: "alice",
      mailbox: "alice",
    });
    expect(await deliveriesOf(project, begun)).toMatchObject([
      { state: { status: "leased" }, leaseOwner: "own_1", run: begun.run.id },
    ]);
    expect(project.published.at(-1)).toMatchObject({ type: "run.started", agent: "alice", run: begun.run.id });
  });

  it("takes no more than its batch, the most urgent first; the rest is for the next run", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    for (const text of ["one", "two", "three"]) await send(project, "alice@review", text);
    await send(project, "@review", "@alice urgent");
    const first = await begin("alice", 2);
    expect(await textsOf(project, first)).toEqual(["@alice urgent", "one"]);
    await succeed(first, "");
    expect(await textsOf(project, await begin("alice", 20))).toEqual(["two", "three"]);
  });

  it("answers a message whose sender waits for it alone, and the others together [outcome.own-answer]", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    const awaitsAnswer = true;
    await send(project, "alice", "one");
    await callOk(project, person, sendMessage, { to: "alice", message: "two", awaitsAnswer });
    await callOk(project, person, sendMessage, { to: "alice", message: "three", awaitsAnswer });
    await send(project, "alice", "four");
    const answered: (readonly string[])[] = [];
    for (let run = 0; run < 3; run += 1) {
      const begun = await begin("alice");
      answered.push(await textsOf(project, begun));
      await succeed(begun, "");
    }
    expect(answered).toEqual([["one", "four"], ["two"], ["three"]]);
  });

  it("leaves nothing behind when it cannot be written down: no lease, no run, no turn charged", async () => {
    const random = failingRandom();
    await using project = await openTeam({ random });
    const { begin } = runHolder(project);
    const { id } = await send(project, "alice", "hello");
    project.clock.advance(1);
    random.failing = true;
    await expect(begin("alice")).rejects.toThrow("no more chance");
    random.failing = false;
    expect(await project.store.read((store) => store.runs.unfinished())).toEqual([]);
    expect(await project.store.read((store) => store.causal.tree(id))).toBeUndefined();
    expect((await begin("alice")).deliveries).toHaveLength(1);
    expect(await project.store.read((store) => store.causal.tree(id))).toMatchObject({ turns: 1 });
  });

  it("finds nothing for an inline agent's namesake elsewhere", async () => {
    await using project = await openTeam();
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "two" });
    const { next } = runHolder(project);
    await send(project, "helper@review", "for the first one");
    expect(await next("helper@review:two")).toBeNull();
    expect(await next("helper")).toBeNull();
    expect(await textsOf(project, await next("helper@review:main"))).toEqual(["for the first one"]);
  });

  it("is for the system alone", async () => {
    await using project = await openTeam();
    const asked = { mailbox: "alice", leaseOwner: "own_1" };
    for (const caller of [person, agentIn(REVIEW, "alice")]) {
      expect(await callRefused(project, caller, beginRun, asked)).toMatchObject({ code: "forbidden" });
    }
    expect(await nextWork(project, asked)).toEqual({ begun: null, nextDue: null });
  });
});

describe("a run that was put aside", () => {
  it("goes on after its last step, with its own deliveries and without newer ones", async () => {
    await using project = await openTeam();
    const { begin, step, park, succeed } = runHolder(project);
    await send(project, "alice@review", "one");
    const first = await begin("alice");
    await step(first, 1);
    await step(first, 2);
    await park(first);
    await send(project, "alice@review", "newer");
    const again = await begin("alice");
    expect(again.run.id).toBe(first.run.id);
    expect(again.finishedSteps).toBe(2);
    expect(await textsOf(project, again)).toEqual(["one"]);
    await succeed(again, "");
    const other = await begin("alice");
    expect(other.run.id).not.toBe(first.run.id);
    expect(await textsOf(project, other)).toEqual(["newer"]);
  });

  it("comes back without what was acknowledged meanwhile", async () => {
    await using project = await openTeam();
    const { begin, park } = runHolder(project);
    await send(project, "alice@review", "one");
    await send(project, "alice@review", "two");
    const first = await begin("alice");
    await park(first);
    const [one] = first.deliveries;
    const ids = [one?.id ?? ""];
    expect(await callRefused(project, agentOf(first), ackDeliveries, { ids })).toMatchObject({ code: "lease_lost" });
    await callOk(project, person, ackDeliveries, { ids });
    expect(await textsOf(project, await begin("alice"))).toEqual(["two"]);
    expect((await deliveriesOf(project, first))[0]?.state).toMatchObject({ status: "acked" });
  });

  it("waits from then on: ten minutes of work do not make it more urgent than what interrupted it", async () => {
    await using project = await openTeam();
    const { begin, step } = runHolder(project);
    await send(project, "alice@review", "long work");
    const long = await begin("alice");
    project.clock.advance(2 * PROMOTION);
    await send(project, "alice", "quick question");
    expect(await step(long, 1)).toMatchObject({ yielded: true });
    expect(await textsOf(project, await begin("alice"))).toEqual(["quick question"]);
  });

  it("does not stand before those who have waited longer than it since", async () => {
    await using project = await openTeam();
    const { begin, fail, succeed } = runHolder(project);
    const takeNext = async (): Promise<string[]> => {
      const begun = await begin("alice");
      await succeed(begun, "");
      return textsOf(project, begun);
    };
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "two" });
    await send(project, "alice@review", "fails");
    const failing = await begin("alice");
    await send(project, "alice@review:two", "waits");
    project.clock.advance(PROMOTION);
    await fail(failing, "transient");
    await send(project, "alice", "younger");
    project.clock.advance(10_000);
    expect(await takeNext()).toEqual(["waits"]);
    expect(await takeNext()).toEqual(["younger"]);
    expect(await takeNext()).toEqual(["fails"]);
  });
});

describe("a delivery that waited long", () => {
  it("is worked on as urgently as it was taken: its run is not interrupted by what it has outranked", async () => {
    await using project = await openTeam();
    const { begin, step } = runHolder(project);
    await send(project, "alice@review", "patient");
    project.clock.advance(PROMOTION);
    await send(project, "alice", "direct");
    const begun = await begin("alice");
    expect(await textsOf(project, begun)).toEqual(["patient"]);
    expect(begun.run.lane).toBe("immediate");
    expect(await step(begun, 1)).toMatchObject({ yielded: false });
  });

  it("is worked on at the urgency it has when its run is resumed", async () => {
    await using project = await openTeam();
    const { begin, step, park } = runHolder(project);
    await send(project, "alice@review", "patient");
    const begun = await begin("alice");
    await park(begun);
    project.clock.advance(PROMOTION);
    await send(project, "alice", "direct");
    const again = await begin("alice");
    expect(again.run).toMatchObject({ id: begun.run.id, lane: "immediate" });
    expect(await step(again, 1)).toMatchObject({ yielded: false });
  });
});

describe("a chain of messages without turns left", () => {
  it("gets no run: what waits becomes a dead letter with the reason, and the channel is told once [causal.turns]", async () => {
    await using project = await openTeam({ files: { "moniro.yaml": "defaults: { budget: { turns: 1 } }\n" } });
    const { begin, next } = runHolder(project);
    const { id } = await send(project, "@review", "@alice @bob @carol who is first?");
    await begin("alice");
    expect(await next("bob")).toBeNull();
    expect(await next("carol")).toBeNull();
    const { deliveries } = await callOk(project, person, listDeadLetters, {});
    expect(deliveries.map(({ agent, reason }) => [agent, reason])).toEqual([
      ["carol", expect.stringContaining("limit of 1 turn.")],
      ["bob", expect.stringContaining("limit of 1 turn.")],
    ]);
    const notices = (await messagesIn(project, REVIEW)).filter(({ kind }) => kind === "notice");
    expect(notices).toMatchObject([
      { sender: "system", body: expect.stringContaining("limit of 1 turn."), mentions: [] },
    ]);
    expect(project.published.filter(({ type }) => type === "breaker.tripped")).toMatchObject([{ root: id }]);
    expect(await project.store.read((store) => store.causal.tree(id))).toMatchObject({ turns: 1 });
  });

  it("does not keep the mailbox from other work", async () => {
    await using project = await openTeam({ files: { "moniro.yaml": "defaults: { budget: { turns: 1 } }\n" } });
    const { begin } = runHolder(project);
    await send(project, "@review", "@alice @bob");
    await begin("alice");
    await send(project, "bob", "something else");
    expect(await textsOf(project, await begin("bob"))).toEqual(["something else"]);
  });
});
