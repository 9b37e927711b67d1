import { describe, expect, it } from "vitest";
import { transition } from "../../../src/domain/delivery/state.ts";
import { person } from "../../../src/kernel/caller.ts";
import { ok } from "../../../src/kernel/result.ts";
import { dropDeadLetter } from "../../../src/operations/dead-letters/drop-dead-letter.ts";
import { listDeadLetters } from "../../../src/operations/dead-letters/list-dead-letters.ts";
import { retryDeadLetter } from "../../../src/operations/dead-letters/retry-dead-letter.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { value } from "../../support/result.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

/** Sends a message to alice that fails twice and is given up. Answers the id of its delivery. */
async function giveUp(project: TestProject, to: string, message: string): Promise<string> {
  const { id: sent } = await callOk(project, person, sendMessage, { to, message });
  const { deliveries } = await callOk(project, person, readInbox, { target: "alice", limit: 500 });
  const id = deliveries.find((each) => each.message.id === sent)?.id;
  if (id === undefined) throw new Error("not delivered");
  const dead = await project.store.transact(async (store) => {
    const [delivery] = await store.deliveries.byIds([id]);
    if (delivery === undefined) throw new Error("no delivery");
    let { state } = delivery;
    for (const input of [
      { kind: "lease" },
      { kind: "retry", notBefore: 0 },
      { kind: "lease" },
      { kind: "exhaust", reason: "the model said no", outcome: "failed" },
    ] as const) {
      state = value(transition(state, input));
    }
    return ok(
      await store.deliveries.advance(
        id,
        { status: "pending", leaseOwner: null },
        { state, leaseOwner: null, run: null },
      ),
    );
  });
  expect(value(dead)).toBe(true);
  return id;
}

async function dead(project: TestProject, target?: string): Promise<string[]> {
  const { deliveries } = await callOk(project, person, listDeadLetters, target === undefined ? {} : { target });
  return deliveries.map(({ id }) => id);
}

describe("list-dead-letters", () => {
  it("shows the message, the recipient, the attempts and the last error, newest first [delivery.dead-list]", async () => {
    await using project = await openTeam();
    const one = await giveUp(project, "@review", "@alice one");
    project.clock.advance(10);
    const two = await giveUp(project, "alice", "two");
    const { deliveries } = await callOk(project, person, listDeadLetters, {});
    expect(deliveries).toMatchObject([
      {
        id: two,
        agent: "alice",
        state: "dead",
        attempts: 1,
        reason: "the model said no",
        message: { content: "two", space: "alice" },
      },
      { id: one, agent: "alice", lane: "immediate", message: { content: "@alice one", from: "user", space: REVIEW } },
    ]);
    expect(await dead(project, "@review")).toEqual([one]);
    expect(await dead(project, "alice")).toEqual([two]);
    const limited = await callOk(project, person, listDeadLetters, { limit: 1 });
    expect(limited.deliveries.map(({ id }) => id)).toEqual([two]);
    expect(await callRefused(project, person, listDeadLetters, { target: "@" })).toMatchObject({ code: "invalid" });
  });

  it("is for persons, like all of this", async () => {
    await using project = await openTeam();
    const id = await giveUp(project, "@review", "@alice");
    const alice = agentIn(REVIEW, "alice");
    expect(await callRefused(project, alice, listDeadLetters, {})).toMatchObject({ code: "forbidden" });
    expect(await callRefused(project, alice, retryDeadLetter, { id })).toMatchObject({ code: "forbidden" });
    expect(await callRefused(project, alice, dropDeadLetter, { id })).toMatchObject({ code: "forbidden" });
    expect(await dead(project)).toEqual([id]);
  });
});

describe("retry-dead-letter", () => {
  it("makes it pending again with fresh attempts and wakes its agent [delivery.dead-retry]", async () => {
    await using project = await openTeam();
    const id = await giveUp(project, "@review", "@alice again");
    const woken = project.woken.length;
    expect(await callOk(project, person, retryDeadLetter, { id })).toEqual({ id, agent: "alice", space: REVIEW });
    expect(project.woken.slice(woken)).toEqual(["alice"]);
    expect(project.published.at(-1)).toMatchObject({ type: "delivery.revived", agent: "alice", delivery: id });
    const { deliveries } = await callOk(project, agentIn(REVIEW, "alice"), readInbox, {});
    expect(deliveries).toMatchObject([{ id, state: "pending", attempts: 0, reason: null }]);
    const heads = await project.store.read((store) => store.deliveries.heads("alice", project.clock.now()));
    expect(heads.map((each) => each.id)).toEqual([id]);
    expect(await dead(project)).toEqual([]);
  });

  it("is refused when it is not dead, not there, or its workspace is closed", async () => {
    await using project = await openTeam();
    const id = await giveUp(project, "@review", "@alice");
    expect(await callRefused(project, person, retryDeadLetter, { id: "dlv_x" })).toMatchObject({ code: "not_found" });
    await callOk(project, person, closeWorkspace, { target: "@review" });
    const before = [project.published.length, project.woken.length];
    expect(await callRefused(project, person, retryDeadLetter, { id })).toMatchObject({ code: "not_running" });
    expect([project.published.length, project.woken.length]).toEqual(before);
    await callOk(project, person, openWorkspace, { workflow: "review", continue: true });
    await callOk(project, person, retryDeadLetter, { id });
    expect(await callRefused(project, person, retryDeadLetter, { id })).toMatchObject({
      code: "conflict",
      message: `The delivery "${id}" is pending, not dead.`,
    });
  });
});

describe("drop-dead-letter", () => {
  it("settles it for good and leaves the message in the channel [delivery.dead-drop]", async () => {
    await using first = await openTeam();
    const id = await giveUp(first, "@review", "@alice never mind");
    await callOk(first, person, dropDeadLetter, { id });
    expect(first.published.at(-1)).toMatchObject({ type: "delivery.dropped", agent: "alice", delivery: id });
    await using project = await first.reopen();
    expect(await dead(project)).toEqual([]);
    expect((await callOk(project, agentIn(REVIEW, "alice"), readInbox, {})).deliveries).toEqual([]);
    for (const operation of [dropDeadLetter, retryDeadLetter]) {
      expect(await callRefused(project, person, operation, { id })).toMatchObject({
        code: "conflict",
        message: `The delivery "${id}" is acked, not dead.`,
      });
    }
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages.map(({ content }) => content)).toEqual(["@alice never mind"]);
  });
});
