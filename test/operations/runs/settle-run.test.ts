import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import { listDeadLetters } from "../../../src/operations/dead-letters/list-dead-letters.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { failingRandom } from "../../support/failing-random.ts";
import {
  agentOf,
  deliveriesOf,
  messagesIn,
  runHolder,
  runRecord,
  send,
  textsOf,
} from "../../support/team/leased-run.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const MAX_ATTEMPTS = 5;
const PARK_DEFAULT_MS = 15 * 60_000;

async function notices(project: TestProject, space = REVIEW) {
  return (await messagesIn(project, space)).filter(({ kind }) => kind === "notice");
}

describe("a run that succeeds", () => {
  it("posts its text as the answer to its message and wakes whom it mentions [run.final-text]", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    const asked = await send(project, "@review", "@alice please look");
    const begun = await begin("alice");
    const woken = project.woken.length;
    expect(await succeed(begun, "Fine by me. @bob your turn")).toEqual({
      outcome: "answered",
      resumeAt: null,
      more: false,
    });
    const reply = (await messagesIn(project, REVIEW)).at(-1);
    expect(reply).toMatchObject({
      sender: "alice",
      kind: "message",
      body: "Fine by me. @bob your turn",
      run: begun.run.id,
    });
    expect(reply).toMatchObject({ root: asked.id, cause: asked.id, depth: 1, mentions: ["bob"] });
    expect(project.woken.slice(woken)).toEqual(["bob"]);
    expect(await textsOf(project, await begin("bob"))).toEqual(["Fine by me. @bob your turn"]);
    expect(project.published.filter(({ type }) => type === "run.ended")).toMatchObject([
      { run: begun.run.id, outcome: "answered" },
    ]);
  });

  it("answers a direct message where it was asked, and is not delivered its own words", async () => {
    await using project = await openTeam();
    const { begin, succeed, next } = runHolder(project);
    await send(project, "alice", "hello");
    await succeed(await begin("alice"), "hello to you");
    expect((await messagesIn(project, "alice")).map(({ sender, body }) => [sender, body])).toEqual([
      ["user", "hello"],
      ["alice", "hello to you"],
    ]);
    expect(await next("alice")).toBeNull();
  });

  it("acknowledges all it took with the one answer [delivery.ack-on-success] [run.siblings]", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    for (const text of ["one", "two", "three"]) await send(project, "alice@review", text);
    const begun = await begin("alice");
    await succeed(begun, "all three at once");
    const acked = { state: { status: "acked", by: "run" }, leaseOwner: null, run: begun.run.id };
    expect(await deliveriesOf(project, begun)).toMatchObject([acked, acked, acked]);
    expect((await messagesIn(project, REVIEW)).filter(({ sender }) => sender === "alice")).toHaveLength(1);
  });

  it("does not swallow what arrived while it worked", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    await send(project, "alice@review", "before");
    const begun = await begin("alice");
    await send(project, "alice@review", "meanwhile");
    await succeed(begun, "");
    expect(await textsOf(project, await begin("alice"))).toEqual(["meanwhile"]);
  });

  it("keeps its text to itself when the agent has spoken already [run.final-text-spoken]", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    await send(project, "@review", "@alice please look");
    const begun = await begin("alice");
    await callOk(project, agentOf(begun), sendMessage, { message: "I said it with the tool." });
    expect(await succeed(begun, "Done, I told them. @bob")).toMatchObject({ outcome: "answered" });
    expect((await messagesIn(project, REVIEW)).map(({ body }) => body)).toEqual([
      "@alice please look",
      "I said it with the tool.",
    ]);
    expect(await runRecord(project, begun)).toMatchObject({
      spoke: true,
      outcome: "answered",
      detail: "Done, I told them. @bob",
    });
    expect(await runHolder(project).next("bob")).toBeNull();
  });

  it.each(["", " \n"])(
    "says nothing with an empty text (%j): acknowledged, nothing posted, nobody woken",
    async (text) => {
      await using project = await openTeam();
      const { begin, succeed } = runHolder(project);
      await send(project, "@review", "@alice thanks!");
      const begun = await begin("alice");
      const woken = project.woken.length;
      expect(await succeed(begun, text)).toEqual({ outcome: "silent", resumeAt: null, more: false });
      expect(await messagesIn(project, REVIEW)).toHaveLength(1);
      expect(await deliveriesOf(project, begun)).toMatchObject([{ state: { status: "acked" } }]);
      expect(project.woken).toHaveLength(woken);
    },
  );

  it("posts what it has when its steps are used up, and says that it is incomplete", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    await send(project, "@review", "@alice please look");
    const begun = await begin("alice");
    expect(await succeed(begun, "as far as I got", { limit: "max_steps" })).toMatchObject({ outcome: "incomplete" });
    expect((await messagesIn(project, REVIEW)).slice(-2)).toMatchObject([
      { sender: "alice", body: "as far as I got" },
      { kind: "notice", body: expect.stringContaining("max_steps") },
    ]);
    expect(await runRecord(project, begun)).toMatchObject({ outcome: "incomplete" });
  });

  it("is put aside when the workspace was closed meanwhile: nothing of it is posted anywhere", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    await send(project, "@review", "@alice please look");
    const begun = await begin("alice");
    await callOk(project, person, closeWorkspace, { target: "@review" });
    expect(await succeed(begun, "too late?")).toMatchObject({ outcome: "retry" });
    expect(await messagesIn(project, "alice")).toEqual([]);
    expect(await project.store.read((store) => store.runs.byId(begun.run.id))).toMatchObject({ state: "parked" });
  });

  it("keeps its last step in the same transaction", async () => {
    await using project = await openTeam();
    const { begin } = runHolder(project);
    await send(project, "alice", "hello");
    const { run } = await begin("alice");
    const held = { run: run.id, space: run.space, leaseOwner: "own_1", fence: run.fence };
    await callOk(project, systemCaller, settleRun, {
      ...held,
      step: { number: 1, transcript: "[1]" },
      result: { kind: "done", text: "hi" },
    });
    expect(await project.store.read((store) => store.runs.lastStep(run.id))).toMatchObject({ number: 1 });
    expect(await project.store.read((store) => store.runs.transcript(run.id))).toBe("[1]");
  });

  it("keeps no secret of its text, posted or not", async () => {
    const secret = "correct-horse-battery-staple";
    await using project = await openTeam({ redactor: createRedactor({ secrets: [secret] }) });
    const { begin, succeed, fail } = runHolder(project);
    await send(project, "alice", "hello");
    const first = await begin("alice");
    await succeed(first, `the key is ${secret}`);
    await send(project, "alice", "again");
    const second = await begin("alice");
    await fail(second, "permanent", { message: `bad key ${secret}` });
    const kept = JSON.stringify([
      await messagesIn(project, "alice"),
      await runRecord(project, first),
      await runRecord(project, second),
      await deliveriesOf(project, second),
    ]);
    expect(kept).toContain("the key is ");
    expect(kept).toContain("bad key ");
    expect(kept).not.toContain(secret);
  });
});

describe("a settlement", () => {
  it("is whole or nothing: without the reply nothing is acknowledged [delivery.settle-atomic]", async () => {
    const random = failingRandom();
    await using project = await openTeam({ random });
    const { begin, succeed } = runHolder(project);
    await send(project, "@review", "@alice please look");
    const begun = await begin("alice");
    const published = project.published.length;
    project.clock.advance(1);
    random.failing = true;
    await expect(succeed(begun, "my answer")).rejects.toThrow("no more chance");
    random.failing = false;
    expect(await deliveriesOf(project, begun)).toMatchObject([{ state: { status: "leased" } }]);
    expect(await runRecord(project, begun)).toMatchObject({ state: "open" });
    expect(await messagesIn(project, REVIEW)).toHaveLength(1);
    expect(project.published).toHaveLength(published);
    expect(await succeed(begun, "my answer")).toMatchObject({ outcome: "answered" });
  });

  it("happens once: the second is refused and posts nothing [delivery.settle-once]", async () => {
    await using project = await openTeam();
    const { begin, succeed } = runHolder(project);
    await send(project, "@review", "@alice please look");
    const begun = await begin("alice");
    const { run } = begun;
    await succeed(begun, "my answer");
    for (const result of [
      { kind: "done", text: "again" },
      { kind: "failed", class: "transient", message: "no" },
    ]) {
      const refusal = await callRefused(project, systemCaller, settleRun, {
        run: run.id,
        space: run.space,
        leaseOwner: "own_1",
        fence: run.fence,
        result,
      });
      expect(refusal).toMatchObject({ code: "lease_lost", details: { state: "ended" } });
    }
    expect(await messagesIn(project, REVIEW)).toHaveLength(2);
  });

  it("is refused from anyone but the holder", async () => {
    await using project = await openTeam();
    const { begin } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    const { id: run, space, fence } = begun.run;
    const asked = { run, space, fence, result: { kind: "done", text: "mine" } };
    expect(await callRefused(project, systemCaller, settleRun, { ...asked, leaseOwner: "own_2" })).toMatchObject({
      code: "lease_lost",
    });
    for (const caller of [person, agentOf(begun)]) {
      expect(await callRefused(project, caller, settleRun, { ...asked, leaseOwner: "own_1" })).toMatchObject({
        code: "forbidden",
      });
    }
    expect(await deliveriesOf(project, begun)).toMatchObject([{ state: { status: "leased" } }]);
  });

  it("leaves alone what the agent has acknowledged itself", async () => {
    await using project = await openTeam();
    const { begin, fail, next } = runHolder(project);
    await send(project, "alice", "one");
    await send(project, "alice", "two");
    const begun = await begin("alice");
    const [one] = begun.deliveries.map(({ id }) => id);
    await callOk(project, agentOf(begun), ackDeliveries, { ids: [one ?? ""] });
    await fail(begun, "permanent");
    const after = await deliveriesOf(project, begun);
    expect(after.map(({ state }) => state.status)).toEqual(["acked", "dead"]);
    expect(after[0]?.state).toMatchObject({ by: "agent" });
    expect(await next("alice")).toBeNull();
  });
});

describe("a run that fails", () => {
  it("is put aside when the failure may pass, and goes on after its last step", async () => {
    await using project = await openTeam();
    const { begin, step, fail } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    await step(begun, 1);
    const { outcome, resumeAt } = await fail(begun, "transient", { retryAfterMs: 5_000 });
    expect(outcome).toBe("retry");
    expect(resumeAt).toBeGreaterThanOrEqual(project.clock.now() + 5_000);
    expect(await deliveriesOf(project, begun)).toMatchObject([
      { state: { status: "pending", attempts: 1, notBefore: resumeAt } },
    ]);
    project.clock.set(resumeAt ?? 0);
    expect(await begin("alice")).toMatchObject({ run: { id: begun.run.id }, finishedSteps: 1 });
    expect(await notices(project, "alice")).toEqual([]);
  });

  it("waits for its quota at no attempt, as often as it takes", async () => {
    await using project = await openTeam();
    const { begin, fail } = runHolder(project);
    await send(project, "alice", "hello");
    for (let times = 0; times <= MAX_ATTEMPTS; times += 1) {
      const begun = await begin("alice");
      const { resumeAt } = await fail(begun, "quota");
      expect(resumeAt).toBe(project.clock.now() + PARK_DEFAULT_MS);
      expect(await deliveriesOf(project, begun)).toMatchObject([{ state: { status: "pending", attempts: 0 } }]);
      project.clock.advance(PARK_DEFAULT_MS);
    }
  });

  it("is given up at once when it can never succeed", async () => {
    await using project = await openTeam();
    const { begin, fail } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    expect(await fail(begun, "permanent")).toEqual({ outcome: "failed", resumeAt: null, more: false });
    expect(await deliveriesOf(project, begun)).toMatchObject([
      { state: { status: "dead", reason: "no luck" }, run: null },
    ]);
    expect(await runRecord(project, begun)).toMatchObject({ state: "ended", outcome: "failed", detail: "no luck" });
  });

  it("is given up at the second crash, not at the first", async () => {
    await using project = await openTeam();
    const { begin, fail } = runHolder(project);
    await send(project, "alice", "hello");
    const first = await fail(await begin("alice"), "crash");
    expect(first.outcome).toBe("retry");
    project.clock.set(first.resumeAt ?? 0);
    expect(await fail(await begin("alice"), "crash")).toEqual({ outcome: "failed", resumeAt: null, more: false });
    expect((await callOk(project, person, listDeadLetters, {})).deliveries).toHaveLength(1);
  });

  it("just ends when its agent had acknowledged everything: nobody waits for it", async () => {
    await using project = await openTeam();
    const { begin, fail } = runHolder(project);
    await send(project, "alice", "hello");
    const begun = await begin("alice");
    await callOk(project, agentOf(begun), ackDeliveries, { ids: begun.deliveries.map(({ id }) => id) });
    expect(await fail(begun, "transient")).toEqual({ outcome: "failed", resumeAt: null, more: false });
    expect(await project.store.read((store) => store.runs.unfinished())).toEqual([]);
    expect(await notices(project, "alice")).toEqual([]);
  });
});

describe("the sender of a message that died", () => {
  it("reads it in the channel, with the message and the reason, when it is a person", async () => {
    await using project = await openTeam();
    const { begin, fail } = runHolder(project);
    const { id } = await send(project, "@review", "@alice please look");
    const woken = project.woken.length;
    await fail(await begin("alice"), "permanent");
    expect(await notices(project)).toMatchObject([{ sender: "system", addressee: null, cause: null }]);
    expect((await notices(project))[0]?.body).toMatch(new RegExp(`alice could not answer ${id}: no luck`));
    expect(project.woken).toHaveLength(woken);
  });

  it("is told in its direct messages when it wrote there", async () => {
    await using project = await openTeam();
    const { begin, fail } = runHolder(project);
    await send(project, "alice", "hello");
    await fail(await begin("alice"), "permanent");
    expect(await notices(project, "alice")).toMatchObject([{ body: expect.stringContaining("no luck") }]);
  });

  it("gets it as background work when it is an agent, in the chain of what it said", async () => {
    await using project = await openTeam();
    const { begin, fail } = runHolder(project);
    const asked = await callOk(project, agentIn(REVIEW, "bob"), sendMessage, { message: "@alice please look" });
    await fail(await begin("alice"), "permanent");
    const told = await begin("bob");
    expect(told.run).toMatchObject({ lane: "background", space: REVIEW });
    expect(await notices(project)).toMatchObject([{ addressee: "bob", root: asked.id, cause: asked.id, depth: 1 }]);
  });

  it("is told once for all of its messages, and each sender of its own", async () => {
    await using project = await openTeam();
    const { begin, fail } = runHolder(project);
    const mine = [await send(project, "alice@review", "one"), await send(project, "alice@review", "two")];
    const bobs = await callOk(project, agentIn(REVIEW, "bob"), sendMessage, { message: "@alice three" });
    await fail(await begin("alice"), "permanent");
    const told = (await notices(project)).map(({ addressee, body }) => [addressee, body.split(":")[0]]);
    expect(told).toHaveLength(2);
    expect(told).toContainEqual(["bob", `alice could not answer ${bobs.id}`]);
    expect(told).toContainEqual([null, `alice could not answer ${mine.map(({ id }) => id).join(", ")}`]);
  });

  it("is not told about a notice: notices cause no notices", async () => {
    await using project = await openTeam();
    const { begin, fail, next } = runHolder(project);
    await callOk(project, agentIn(REVIEW, "bob"), sendMessage, { message: "@alice please look" });
    await fail(await begin("alice"), "permanent");
    await fail(await begin("bob"), "permanent");
    expect(await notices(project)).toHaveLength(1);
    expect(await next("bob")).toBeNull();
    expect(await next("alice")).toBeNull();
  });

  it("cannot be kept busy by one that always fails: it is told once [outcome.told-once]", async () => {
    await using project = await openTeam();
    const { next, succeed, fail } = runHolder(project);
    await send(project, "@review", "@bob get alice to look at this, whatever it takes, and do not give up");
    let rounds = 0;
    for (let begun = await next("bob"); begun !== null; begun = await next("bob")) {
      rounds += 1;
      await succeed(begun, "It did not work the last time, so please try once more, @alice");
      const asked = await next("alice");
      if (asked !== null) await fail(asked, "permanent");
    }
    expect(rounds).toBe(2);
    expect((await notices(project)).at(-1)?.body).toContain("alice could not answer");
  });
});
