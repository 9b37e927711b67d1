import { describe, expect, it } from "vitest";
import { LOOP_WINDOW } from "../../../src/domain/causal/breaker.ts";
import { person } from "../../../src/kernel/caller.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { callOk, callRefused, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const alice = agentIn(REVIEW, "alice");

function channel(project: TestProject) {
  return callOk(project, person, peekChannel, { target: "@review", limit: 500 }).then(({ messages }) => messages);
}

describe("the causal tree of a message", () => {
  it("starts with a message nobody caused and grows by one with each answer [causal.root] [causal.child]", async () => {
    await using project = await openTeam();
    const root = await callOk(project, person, sendMessage, { to: "@review", message: "@alice" });
    const child = await callOk(project, agentIn(REVIEW, "alice", root.id), sendMessage, { message: "@bob" });
    const grandchild = await callOk(project, agentIn(REVIEW, "bob", child.id), sendMessage, { message: "@alice" });
    const read = (id: string) => project.store.read((store) => store.messages.byId(id));
    expect(await read(root.id)).toMatchObject({ root: root.id, cause: null, depth: 0 });
    expect(await read(child.id)).toMatchObject({ root: root.id, cause: root.id, depth: 1 });
    expect(await read(grandchild.id)).toMatchObject({ root: root.id, cause: child.id, depth: 2 });
    const unprompted = await callOk(project, alice, sendMessage, { message: "by myself" });
    expect(await read(unprompted.id)).toMatchObject({ root: unprompted.id, depth: 0 });
  });

  /** Alice and bob answer each other, `text` each time. Answers the receipts. */
  async function exchange(project: TestProject, times: number, text: (index: number) => string) {
    const receipts = [await callOk(project, person, sendMessage, { to: "@review", message: "@alice begin" })];
    for (let index = 0; index < times; index += 1) {
      const [me, you] = index % 2 === 0 ? ["alice", "bob"] : ["bob", "alice"];
      const caller = agentIn(REVIEW, me ?? "", receipts.at(-1)?.id ?? null);
      receipts.push(await callOk(project, caller, sendMessage, { message: `@${you} ${text(index)}` }));
    }
    return receipts;
  }

  const wordy = (index: number): string => `point ${index}: ${"something worth saying, ".repeat(3)}`;
  const LIMITED = { "moniro.yaml": "defaults: { budget: { hops: 4 } }\n" };

  it("is charged when a message is accepted: past the limit the message is kept and wakes nobody [causal.charged-at-send]", async () => {
    await using project = await openTeam({ files: LIMITED });
    const receipts = await exchange(project, 4, wordy);
    const tree = () => project.store.read((store) => store.causal.tree(receipts[0]?.id ?? ""));
    expect(await tree()).toMatchObject({ messages: 4, maxDepth: 4, tripped: null });
    const woken = project.woken.length;
    const last = await callOk(project, agentIn(REVIEW, "alice", receipts.at(-1)?.id ?? null), sendMessage, {
      message: "@bob more",
    });
    expect(last.recipients).toEqual([]);
    expect(last.warnings).toEqual([expect.stringMatching(/^Nobody was woken: .*4 hops/)]);
    expect(project.woken).toHaveLength(woken);
    expect(await tree()).toMatchObject({ messages: 4, tripped: { reason: expect.stringContaining("4 hops") } });
    expect((await channel(project)).map(({ content }) => content)).toContain("@bob more");
  });

  it("does not charge a message that is refused", async () => {
    await using project = await openTeam();
    const root = await callOk(project, person, sendMessage, { to: "@review", message: "@alice" });
    await callRefused(project, agentIn(REVIEW, "alice", root.id), sendMessage, { to: "zoe", message: "x" });
    expect(await project.store.read((store) => store.causal.tree(root.id))).toBeUndefined();
  });

  it("says in the channel why it stopped, after the message that did it, once, and calls nobody [causal.breaker-notice]", async () => {
    await using project = await openTeam({ files: LIMITED });
    const receipts = await exchange(project, 7, wordy);
    const messages = await channel(project);
    const notices = messages.filter(({ kind }) => kind === "notice");
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({ from: "system", mentions: [] });
    expect(notices[0]?.content).toBe(
      'This chain of messages has reached its limit of 4 hops. It goes on when a person writes. Go on with: agent-worker send @review "go on"',
    );
    expect(messages.findIndex(({ kind }) => kind === "notice")).toBe(
      messages.findIndex(({ id }) => id === receipts[5]?.id) + 1,
    );
    expect(project.published.filter(({ type }) => type === "breaker.tripped")).toMatchObject([
      { space: REVIEW, root: receipts[0]?.id },
    ]);
  });

  it("stays stopped until a person speaks, whose message starts afresh [causal.breaker-person]", async () => {
    await using project = await openTeam({ files: LIMITED });
    const receipts = await exchange(project, 6, wordy);
    const again = await callOk(project, agentIn(REVIEW, "bob", receipts[2]?.id ?? null), sendMessage, {
      message: "@alice an earlier branch",
    });
    expect(again.recipients).toEqual([]);
    const fresh = await callOk(project, person, sendMessage, { to: "@review", message: "@alice go on" });
    expect(fresh.recipients).toHaveLength(1);
    const answer = await callOk(project, agentIn(REVIEW, "alice", fresh.id), sendMessage, { message: "@bob thanks" });
    expect(answer.recipients).toHaveLength(1);
  });

  it("stops agents that only keep each other awake long before the budget is gone", async () => {
    await using project = await openTeam();
    const receipts = await exchange(project, LOOP_WINDOW + 3, () => "thanks!");
    const stopped = receipts.findIndex(({ warnings }) => warnings.length > 0);
    expect(stopped).toBe(LOOP_WINDOW);
    expect(receipts.slice(stopped).every(({ recipients }) => recipients.length === 0)).toBe(true);
    const notices = (await channel(project)).filter(({ kind }) => kind === "notice");
    expect(notices.map(({ content }) => content)).toEqual([expect.stringContaining("near-empty messages")]);
    await using talking = await openTeam();
    expect((await exchange(talking, LOOP_WINDOW + 3, wordy)).every(({ warnings }) => warnings.length === 0)).toBe(true);
  });

  it("answers a repeated key with the first receipt, of a stopped message too", async () => {
    await using project = await openTeam({ files: LIMITED });
    const receipts = await exchange(project, 4, wordy);
    project.clock.advance(1);
    const caller = agentIn(REVIEW, "alice", receipts.at(-1)?.id ?? null);
    const data = { message: "@bob more", idempotencyKey: "k" };
    await callOk(project, caller, sendMessage, data);
    expect(await callOk(project, caller, sendMessage, data)).toMatchObject({ duplicate: true, recipients: [] });
  });
});
