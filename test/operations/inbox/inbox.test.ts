import { describe, expect, it } from "vitest";
import { transition } from "../../../src/domain/delivery/state.ts";
import { person } from "../../../src/kernel/caller.ts";
import { ok } from "../../../src/kernel/result.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { value } from "../../support/result.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

const alice = agentIn(REVIEW, "alice");
const bob = agentIn(REVIEW, "bob");

function inbox(project: TestProject, caller = alice) {
  return callOk(project, caller, readInbox, {}).then(({ deliveries }) => deliveries);
}

async function deliver(project: TestProject, message: string): Promise<void> {
  await callOk(project, person, sendMessage, { to: "@review", message });
}

/** Leases a delivery as a loop would. */
async function lease(project: TestProject, id: string): Promise<void> {
  const leased = await project.store.transact(async (store) => {
    const [delivery] = await store.deliveries.byIds([id]);
    if (delivery === undefined) throw new Error(`no ${id}`);
    const state = value(transition(delivery.state, { kind: "lease" }));
    return ok(
      await store.deliveries.advance(
        id,
        { status: "pending", leaseOwner: null },
        { state, leaseOwner: "own_1", run: null },
      ),
    );
  });
  expect(value(leased)).toBe(true);
}

describe("read-inbox", () => {
  it("lists what waits for an agent, urgent first and then in order of arrival, and nothing else [delivery.inbox]", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: "alice@review", message: "normal 1" });
    await deliver(project, "@alice urgent 1");
    await callOk(project, person, sendMessage, { to: "alice@review", message: "normal 2" });
    await deliver(project, "@alice @bob urgent 2");
    await deliver(project, "for nobody");
    await callOk(project, person, sendMessage, { to: "alice", message: "direct" });
    const contents = (await inbox(project)).map(({ message }) => message.content);
    expect(contents).toEqual(["@alice urgent 1", "@alice @bob urgent 2", "normal 1", "normal 2"]);
    expect((await inbox(project, bob)).map(({ message }) => message.content)).toEqual(["@alice @bob urgent 2"]);
    const limited = await callOk(project, alice, readInbox, { limit: 1 });
    expect(limited.deliveries.map(({ message }) => message.content)).toEqual(["@alice urgent 1"]);
  });

  it("shows a person the inbox of an agent in all its spaces, or in one", async () => {
    const files = {
      ...TEAM,
      ...workflowFile("scratch", "agents: { alice: { ref: alice } }\nworkspace: { provider: memory }\n"),
    };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, openWorkspace, { workflow: "scratch" });
    for (const to of ["@review", "@scratch", "alice"])
      await callOk(project, person, sendMessage, { to, message: "@alice" });
    const spaces = async (target: string) =>
      (await callOk(project, person, readInbox, { target })).deliveries.map(({ message }) => message.space).toSorted();
    expect(await spaces("alice")).toEqual(["@review:main", "@scratch:main", "alice"]);
    expect(await spaces("alice@scratch")).toEqual(["@scratch:main"]);
    expect(await spaces("alice@review")).toEqual([REVIEW]);
    expect(await callRefused(project, person, readInbox, { target: "@review" })).toMatchObject({ code: "invalid" });
    expect(await callRefused(project, person, readInbox, {})).toMatchObject({
      code: "invalid",
      message: "Whose inbox?",
    });
  });

  it("shows an agent no other inbox, not even its own elsewhere", async () => {
    await using project = await openTeam();
    for (const target of ["bob", "alice@review:two", "@review"]) {
      expect(await callRefused(project, alice, readInbox, { target })).toMatchObject({ code: "forbidden" });
    }
    await callOk(project, person, sendMessage, { to: "alice", message: "direct" });
    expect(await inbox(project)).toEqual([]);
    expect(await inbox(project, agentIn("alice", "alice"))).toHaveLength(1);
  });

  it("changes nothing by being read, and still holds everything after a restart [delivery.before-start]", async () => {
    await using first = await openTeam();
    await deliver(first, "@alice early");
    const before = await inbox(first);
    expect(await inbox(first)).toEqual(before);
    await using project = await first.reopen();
    expect(await inbox(project)).toEqual(before);
    expect(await project.store.read((store) => store.deliveries.mailboxesWithPending())).toEqual(["alice"]);
  });
});

describe("ack-deliveries", () => {
  async function threeForAlice(project: TestProject): Promise<[string, string, string]> {
    for (const text of ["@alice 1", "@alice @bob 2", "@alice 3"]) await deliver(project, text);
    const [one, two, three] = (await inbox(project)).map(({ id }) => id);
    if (one === undefined || two === undefined || three === undefined) throw new Error("not delivered");
    return [one, two, three];
  }

  it("takes exactly the named deliveries out of the inbox [delivery.ack-by-id]", async () => {
    await using project = await openTeam();
    const [one, two, three] = await threeForAlice(project);
    const before = project.published.length;
    expect(await callOk(project, alice, ackDeliveries, { ids: [three, one, three] })).toEqual({ acked: [three, one] });
    expect((await inbox(project)).map(({ id }) => id)).toEqual([two]);
    expect(project.published.slice(before)).toMatchObject([
      { type: "delivery.acked", space: REVIEW, agent: "alice", delivery: three },
      { type: "delivery.acked", space: REVIEW, agent: "alice", delivery: one },
    ]);
    expect(await inbox(project, bob)).toHaveLength(1);
  });

  it("is refused for an id that does not exist, and then acks nothing at all [delivery.ack-unknown]", async () => {
    await using project = await openTeam();
    const [one] = await threeForAlice(project);
    const before = project.published.length;
    expect(await callRefused(project, alice, ackDeliveries, { ids: [one, "dlv_zzz"] })).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("dlv_zzz. Nothing was acknowledged."),
      details: { ids: ["dlv_zzz"] },
    });
    expect(await inbox(project)).toHaveLength(3);
    expect(project.published).toHaveLength(before);
    expect(await callRefused(project, alice, ackDeliveries, { ids: [] })).toMatchObject({ code: "invalid" });
  });

  it("is refused for another's delivery in the same words, and then acks nothing at all [delivery.ack-foreign]", async () => {
    await using project = await openTeam();
    const [one] = await threeForAlice(project);
    const [forBob] = (await inbox(project, bob)).map(({ id }) => id);
    if (forBob === undefined) throw new Error("not delivered");
    const foreign = await callRefused(project, alice, ackDeliveries, { ids: [one, forBob] });
    const unknown = await callRefused(project, alice, ackDeliveries, { ids: [one, "dlv_zzz"] });
    expect(foreign.message.replace(forBob, "ID")).toBe(unknown.message.replace("dlv_zzz", "ID"));
    expect(await inbox(project)).toHaveLength(3);
    expect(await inbox(project, bob)).toHaveLength(1);
    expect(await callRefused(project, agentIn("alice", "alice"), ackDeliveries, { ids: [one] })).toMatchObject({
      code: "not_found",
    });
    expect(await callRefused(project, person, ackDeliveries, { ids: [one], agent: "bob" })).toMatchObject({
      code: "not_found",
    });
    expect(await callOk(project, person, ackDeliveries, { ids: [one], agent: "alice" })).toEqual({ acked: [one] });
  });

  it("keeps an inline agent from its namesake's deliveries", async () => {
    await using project = await openTestProject({ files: TEAM });
    for (const tag of ["one", "two"]) {
      await callOk(project, person, openWorkspace, { workflow: "review", tag });
      await callOk(project, person, sendMessage, { to: `@review:${tag}`, message: "@helper" });
    }
    const two = await inbox(project, agentIn("@review:two", "helper"));
    const refusal = await callRefused(project, agentIn("@review:one", "helper"), ackDeliveries, {
      ids: two.map(({ id }) => id),
    });
    expect(refusal.code).toBe("not_found");
    expect(await inbox(project, agentIn("@review:two", "helper"))).toHaveLength(1);
  });

  it("changes nothing the second time [delivery.ack-again]", async () => {
    await using project = await openTeam();
    const [one] = await threeForAlice(project);
    await callOk(project, alice, ackDeliveries, { ids: [one] });
    const before = project.published.length;
    expect(await callOk(project, alice, ackDeliveries, { ids: [one] })).toEqual({ acked: [] });
    expect(project.published).toHaveLength(before);
    expect(await inbox(project)).toHaveLength(2);
  });

  it("made by five agents of five messages at once undoes and swallows nothing [delivery.ack-concurrent]", async () => {
    const names = ["a1", "a2", "a3", "a4", "a5"];
    const agents = names.map((name) => `${name}: { backend: mock, prompt: { system: x } }`).join(", ");
    await using project = await openTestProject({ files: workflowFile("five", `agents: { ${agents} }\n`) });
    await callOk(project, person, openWorkspace, { workflow: "five" });
    const at = (name: string) => agentIn("@five:main", name);
    for (let n = 0; n < 5; n += 1) await callOk(project, person, sendMessage, { to: "@five", message: `@all ${n}` });
    const inboxes = await Promise.all(names.map((name) => inbox(project, at(name))));
    await Promise.all([
      ...names.map((name, index) =>
        callOk(project, at(name), ackDeliveries, { ids: (inboxes[index] ?? []).slice(0, 3).map(({ id }) => id) }),
      ),
      ...names.map((name, index) =>
        callOk(project, at(name), ackDeliveries, { ids: (inboxes[index] ?? []).slice(2, 4).map(({ id }) => id) }),
      ),
      callOk(project, person, sendMessage, { to: "@five", message: "@all new" }),
    ]);
    for (const name of names) {
      expect((await inbox(project, at(name))).map(({ message }) => message.content)).toEqual(["@all 4", "@all new"]);
    }
    expect(project.published.filter(({ type }) => type === "delivery.acked")).toHaveLength(20);
  });

  it("of what was leased leaves what arrived meanwhile [delivery.not-swallowed]", async () => {
    await using project = await openTeam();
    await deliver(project, "@alice working on this");
    const [leased] = (await inbox(project)).map(({ id }) => id);
    if (leased === undefined) throw new Error("not delivered");
    await lease(project, leased);
    await deliver(project, "@alice and this came meanwhile");
    expect((await inbox(project)).map(({ state }) => state)).toEqual(["leased", "pending"]);
    await callOk(project, alice, ackDeliveries, { ids: [leased] });
    expect((await inbox(project)).map(({ message, state }) => [message.content, state])).toEqual([
      ["@alice and this came meanwhile", "pending"],
    ]);
  });

  it("does not bring a dead letter back or hide it", async () => {
    await using project = await openTeam();
    const [one] = await threeForAlice(project);
    await project.store.transact(async (store) => {
      const [delivery] = await store.deliveries.byIds([one]);
      if (delivery === undefined) throw new Error("no delivery");
      const state = value(transition(delivery.state, { kind: "exhaust", reason: "gone", outcome: "failed" }));
      return ok(
        await store.deliveries.advance(
          one,
          { status: "pending", leaseOwner: null },
          { state, leaseOwner: null, run: null },
        ),
      );
    });
    expect(await callRefused(project, alice, ackDeliveries, { ids: [one] })).toMatchObject({
      code: "conflict",
      hint: "Retry it or drop it first.",
    });
  });
});
