import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import { ok } from "../../../src/kernel/result.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { runs } from "../../property.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

const SMART_SEND_THRESHOLD_BYTES = 8 * 1024;

const alice = agentIn(REVIEW, "alice");
const bob = agentIn(REVIEW, "bob");

/** Agent, lane and content of everything open, of everybody. */
async function waiting(project: TestProject, agent: string): Promise<[string, string][]> {
  const { deliveries } = await callOk(project, person, readInbox, { target: agent });
  return deliveries.map(({ lane, message }) => [lane, message.content]);
}

function channel(project: TestProject, target = "@review") {
  return callOk(project, person, peekChannel, { target, limit: 500 }).then(({ messages }) => messages);
}

describe("a send", () => {
  it("answers the id, the recipients and the lane of each, after one delivery was made for each of them [delivery.receipt] [delivery.one-per-recipient]", async () => {
    await using project = await openTeam();
    const receipt = await callOk(project, person, sendMessage, {
      to: "bob@review",
      message: "with @alice, @bob and @alice",
    });
    expect(receipt).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      space: REVIEW,
      recipients: [
        { agent: "bob", lane: "immediate" },
        { agent: "alice", lane: "immediate" },
      ],
      resource: null,
      duplicate: false,
      warnings: [],
    });
    expect(await waiting(project, "alice")).toHaveLength(1);
    expect(await waiting(project, "bob")).toHaveLength(1);
    expect(await waiting(project, "carol")).toEqual([]);
    expect(await project.store.read((store) => store.deliveries.countOpen(REVIEW))).toBe(2);
  });

  it.each([
    { to: "alice", space: "alice", lane: "immediate", requirement: "[route.dm-immediate]" },
    { to: "alice@global", space: "alice", lane: "immediate", requirement: "[target.dm-global]" },
    { to: "alice@review", space: REVIEW, lane: "normal", requirement: "[route.direct-send-normal]" },
    { to: "alice@review:main", space: REVIEW, lane: "normal", requirement: "[target.agent-in-tagged-workspace]" },
    { to: "@review", space: REVIEW, lane: undefined, requirement: "[route.unmentioned-pull]" },
  ])("to $to goes to the space $space, in the lane $lane $requirement", async ({ to, space, lane }) => {
    await using project = await openTeam();
    const recipients = lane === undefined ? [] : [{ agent: "alice", lane }];
    expect(await callOk(project, person, sendMessage, { to, message: "hello" })).toMatchObject({ space, recipients });
    expect(project.woken).toEqual(recipients.map(({ agent }) => agent));
  });

  it("that mentions agents in the channel wakes them at once, and stays readable there [route.mention-immediate] [route.also-in-channel]", async () => {
    await using project = await openTeam();
    const receipt = await callOk(project, person, sendMessage, { to: "@review", message: "@bob then @alice: look" });
    expect(receipt.recipients).toEqual([
      { agent: "bob", lane: "immediate" },
      { agent: "alice", lane: "immediate" },
    ]);
    const messages = await channel(project);
    expect(messages.map(({ id, content, from, to }) => [id, content, from, to])).toEqual([
      [receipt.id, "@bob then @alice: look", "user", null],
    ]);
  });

  it("has one target, and mentions only add recipients in the same space [route.one-target] [route.most-urgent-once]", async () => {
    await using project = await openTeam();
    const receipt = await callOk(project, person, sendMessage, {
      to: "alice@review",
      message: "@bob join us, @alice leads",
    });
    expect(receipt.recipients).toEqual([
      { agent: "alice", lane: "immediate" },
      { agent: "bob", lane: "immediate" },
    ]);
    expect((await channel(project))[0]).toMatchObject({ to: "alice", space: REVIEW, mentions: ["bob", "alice"] });
  });

  it("with @all calls every participant but the sender, in the order of joining [mention.all]", async () => {
    await using project = await openTeam();
    const receipt = await callOk(project, bob, sendMessage, { message: "@all and @carol, listen" });
    expect(receipt.recipients.map(({ agent }) => agent)).toEqual(["alice", "carol", "helper"]);
    expect(project.woken).toEqual(["alice", "carol", "helper@review:main"]);
  });

  it("never reaches its own author [mention.not-self]", async () => {
    await using project = await openTeam();
    const receipt = await callOk(project, alice, sendMessage, { message: "@alice note to self, @alice" });
    expect(receipt.recipients).toEqual([]);
    const direct = await callOk(project, alice, sendMessage, { to: "alice", message: "to me" });
    expect(direct.recipients).toEqual([]);
    expect(await waiting(project, "alice")).toEqual([]);
    expect(project.woken).toEqual([]);
  });

  it("with an unknown mention is accepted, with a warning that lists who is there [mention.unknown-warning] [mention.participants-only]", async () => {
    await using project = await openTeam();
    const receipt = await callOk(project, alice, sendMessage, {
      message: "@bob and @zoe, `@carol` and mail@helper.com",
    });
    expect(receipt.recipients.map(({ agent }) => agent)).toEqual(["bob"]);
    expect(receipt.warnings).toEqual(["Nobody here is called @zoe. Here are: alice, bob, carol, helper."]);
  });

  it("keeps the mentions it was accepted with, whoever joins later [mention.write-time]", async () => {
    await using project = await openTeam();
    await callOk(project, person, sendMessage, { to: "@review", message: "@alice @zoe" });
    await callOk(project, person, closeWorkspace, { target: "@review" });
    project.write(".agents/zoe.yaml", "name: zoe\nbackend: mock\nprompt: { system: You are zoe. }\n");
    project.write(".workflows/review.yaml", "name: review\nagents: { zoe: { ref: zoe } }\n");
    await callOk(project, person, openWorkspace, { workflow: "review", continue: true });
    expect((await channel(project))[0]?.mentions).toEqual(["alice"]);
    expect(await waiting(project, "zoe")).toEqual([]);
  });

  it("in direct messages reaches its agent in any number of workspaces and nobody it names [route.dm-any-time] [route.dm-text-only] [message.dm-space]", async () => {
    await using project = await openTestProject({ files: TEAM });
    const lonely = await callOk(project, person, sendMessage, { to: "alice", message: "before any workspace, @bob" });
    expect(lonely).toMatchObject({ recipients: [{ agent: "alice", lane: "immediate" }], warnings: [] });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "two" });
    await callOk(project, person, sendMessage, { to: "alice", message: "and in two" });
    expect((await channel(project, "alice")).map(({ content }) => content)).toEqual([
      "before any workspace, @bob",
      "and in two",
    ]);
    expect(await channel(project, "@review")).toEqual([]);
    expect(await waiting(project, "bob")).toEqual([]);
    expect(project.woken).toEqual(["alice", "alice"]);
  });

  it("to inline agents of the same name in two workspaces keeps them apart [delivery.inline-separate]", async () => {
    await using project = await openTestProject({ files: TEAM });
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "one" });
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "two" });
    await callOk(project, person, sendMessage, { to: "@review:one", message: "@helper one" });
    await callOk(project, person, sendMessage, { to: "helper@review:two", message: "two" });
    expect(project.woken).toEqual(["helper@review:one", "helper@review:two"]);
    for (const tag of ["one", "two"]) {
      const { deliveries } = await callOk(project, agentIn(`@review:${tag}`, "helper"), readInbox, {});
      expect(deliveries.map(({ message }) => message.content)).toEqual([tag === "one" ? "@helper one" : "two"]);
    }
  });
});

describe("a send is refused", () => {
  it("into a workspace that is not open, with the command that starts it [route.not-running]", async () => {
    await using project = await openTestProject({ files: TEAM });
    expect(await callRefused(project, person, sendMessage, { to: "alice@review", message: "x" })).toMatchObject({
      code: "not_running",
      message: 'workflow "review" is not running.',
      hint: "Start it with: agent-worker start review",
    });
    expect(await callRefused(project, person, sendMessage, { to: "@review:pr-1", message: "x" })).toMatchObject({
      message: 'workflow "review:pr-1" is not running.',
      hint: "Start it with: agent-worker start review --tag pr-1",
    });
    expect(await callRefused(project, person, sendMessage, { to: "@nothing", message: "x" })).toMatchObject({
      code: "not_running",
    });
    expect(project.published).toEqual([]);
  });

  it("to an agent outside the workflow, who does not join by it [route.not-participant]", async () => {
    await using project = await openTestProject({
      files: { ...TEAM, ...workflowFile("solo", "agents: { bob: { ref: bob } }\n") },
    });
    await callOk(project, person, openWorkspace, { workflow: "solo" });
    expect(await callRefused(project, person, sendMessage, { to: "alice@solo", message: "x" })).toMatchObject({
      code: "not_participant",
      message: 'alice is not a participant in workflow "solo".',
      hint: "Add alice to .workflows/solo.yaml first.",
    });
    expect(await project.store.read((store) => store.workspaces.roster("@solo:main"))).toHaveLength(1);
    expect(await project.store.read((store) => store.deliveries.mailboxesWithPending())).toEqual([]);
  });

  it("to an agent that does not exist, with those that do, and leaves no inbox [route.unknown-agent]", async () => {
    await using project = await openTeam();
    expect(await callRefused(project, person, sendMessage, { to: "alic", message: "x" })).toMatchObject({
      code: "not_found",
      message: 'There is no agent called "alic".',
      hint: expect.stringMatching(/Did you mean "alice"\? Known agents: alice, bob, carol\. Create it with/),
    });
    expect(await callRefused(project, person, sendMessage, { to: "helper", message: "x" })).toMatchObject({
      code: "not_found",
    });
    expect(await project.store.read((store) => store.deliveries.mailboxesWithPending())).toEqual([]);
    expect(await project.store.read((store) => store.messages.page({ space: "alic", limit: 1 }))).toEqual([]);
  });

  it("not to an agent whose file was written a moment ago", async () => {
    await using project = await openTestProject();
    project.write(".agents/zoe.yaml", "name: zoe\nbackend: mock\nprompt: { system: You are zoe. }\n");
    await callOk(project, person, sendMessage, { to: "zoe", message: "welcome" });
    expect(project.woken).toEqual(["zoe"]);
  });

  it("to a channel that is switched off, while its agents can be reached [route.no-channel]", async () => {
    const files = { ...TEAM, ...workflowFile("quiet", "agents: { alice: { ref: alice } }\ncontext: false\n") };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "quiet" });
    expect(await callRefused(project, person, sendMessage, { to: "@quiet", message: "x" })).toMatchObject({
      code: "not_found",
      message: 'Workflow "quiet" has no channel.',
    });
    const receipt = await callOk(project, person, sendMessage, { to: "alice@quiet", message: "x" });
    expect(receipt.recipients).toEqual([{ agent: "alice", lane: "normal" }]);
  });

  it("when it is empty, too long or has no target, and names the field [message.empty] [proposal.schema]", async () => {
    await using project = await openTeam();
    for (const message of ["", " \n\t ", "x".repeat(1024 * 1024 + 1)]) {
      expect(await callRefused(project, person, sendMessage, { to: "@review", message })).toMatchObject({
        code: "invalid",
        message: expect.stringContaining('in "message"'),
      });
    }
    expect(await callRefused(project, person, sendMessage, { message: "x" })).toMatchObject({ code: "invalid" });
    expect(await callRefused(project, person, sendMessage, { to: 7, message: "x" })).toMatchObject({
      code: "invalid",
      message: expect.stringContaining('"to"'),
    });
    for (const to of ["alice@", "@", "a b", "@@review", "alice:tag", "system", "@global"]) {
      expect(await callRefused(project, person, sendMessage, { to, message: "x" }), to).toMatchObject({
        code: "invalid",
      });
    }
    expect(await channel(project)).toEqual([]);
    expect(project.published.map(({ type }) => type)).toEqual(["workspace.opened"]);
  });

  it("when an agent sends out of the space it runs in", async () => {
    const files = { ...TEAM, ...workflowFile("deploy", "agents: { bob: { ref: bob } }\n") };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, openWorkspace, { workflow: "deploy" });
    for (const to of ["@deploy", "bob@deploy", "@review:two"]) {
      expect(await callRefused(project, alice, sendMessage, { to, message: "x" })).toMatchObject({ code: "forbidden" });
    }
    const dm = agentIn("alice", "alice");
    for (const to of ["bob", "@review", "alice@review"]) {
      expect(await callRefused(project, dm, sendMessage, { to, message: "x" })).toMatchObject({ code: "forbidden" });
    }
    const colleague = await callOk(project, alice, sendMessage, { to: "bob", message: "a word" });
    expect(colleague).toMatchObject({ space: REVIEW, recipients: [{ agent: "bob", lane: "normal" }] });
    expect(await callOk(project, dm, sendMessage, { message: "done" })).toMatchObject({
      space: "alice",
      recipients: [],
    });
  });

  it("when it would go to more agents than the fan-out allows, and goes to none [mention.fan-out-cap]", async () => {
    await using project = await openTeam();
    const names = Array.from({ length: 1002 }, (_, index) => `a${index}`);
    await project.store.transact(async (store) => {
      const alone = await store.workspaces.participants(REVIEW);
      const crowd = names.flatMap((agent, position) => alone.slice(0, 1).map((each) => ({ ...each, agent, position })));
      await store.workspaces.setParticipants(REVIEW, crowd);
      return ok(undefined);
    });
    const refusal = await callRefused(project, person, sendMessage, { to: "@review", message: "@all" });
    expect(refusal).toMatchObject({ code: "too_large", details: { recipients: 1002, limit: 1000 } });
    expect(await channel(project)).toEqual([]);
    const few = await callOk(project, person, sendMessage, {
      to: "@review",
      message: names
        .slice(0, 1000)
        .map((name) => `@${name}`)
        .join(" "),
    });
    expect(few.recipients).toHaveLength(1000);
  });
});

describe("the body of a message", () => {
  it("above the threshold becomes a resource, and the channel keeps its id, size and beginning [message.smart-send]", async () => {
    await using project = await openTeam();
    const body = `The report begins.\n${"line of the report\n".repeat(1000)}`;
    const receipt = await callOk(project, person, sendMessage, { to: "@review", message: body });
    expect(receipt.resource).toMatch(/^res_[0-9a-f]{32}$/);
    const [message] = await channel(project);
    expect(message?.content).toContain(receipt.resource ?? "none");
    expect(message?.content).toContain("18.6 KiB");
    expect(message?.content.startsWith("The report begins.")).toBe(true);
    expect(Buffer.byteLength(message?.content ?? "")).toBeLessThan(SMART_SEND_THRESHOLD_BYTES);
    const kept = await project.store.read((store) => store.resources.content(receipt.resource ?? ""));
    expect(kept).toBe(body);
    expect(await project.store.read((store) => store.resources.inSpace(receipt.resource ?? "", REVIEW))).toBe(true);
  });

  it("still reaches everyone it mentions, however far down [message.smart-send-mentions]", async () => {
    await using project = await openTeam();
    const body = `${"x ".repeat(SMART_SEND_THRESHOLD_BYTES)}\n@carol and @bob`;
    const receipt = await callOk(project, person, sendMessage, { to: "@review", message: body });
    expect(receipt.recipients.map(({ agent }) => agent)).toEqual(["carol", "bob"]);
    expect((await channel(project))[0]).toMatchObject({ mentions: ["carol", "bob"] });
    expect((await channel(project))[0]?.content).toContain("Mentions: @carol @bob");
  });

  it("loses its secrets before it is written, wherever they would be kept [message.redacted]", async () => {
    const redactor = createRedactor({ secrets: ["hunter2-hunter2"] });
    await using project = await openTeam({ redactor });
    const key = `ghp_${"a1B2".repeat(9)}`;
    await callOk(project, person, sendMessage, {
      to: "@review",
      message: `@bob use ${key} and hunter2-hunter2, please`,
    });
    const big = await callOk(project, alice, sendMessage, { message: `${key}\n`.repeat(1000) });
    const everything = JSON.stringify([
      await channel(project),
      await callOk(project, person, readInbox, { target: "bob" }),
      await project.store.read((store) => store.resources.content(big.resource ?? "")),
    ]);
    expect(everything).not.toContain(key);
    expect(everything).not.toContain("hunter2");
    expect((await channel(project))[0]?.content).toMatch(/^@bob use .+ and .+, please$/);
  });
});

describe("order and time", () => {
  it("gives messages of the same millisecond their order, and loses none [delivery.same-millisecond]", async () => {
    await using project = await openTeam();
    const sends = Array.from({ length: 50 }, (_, index) =>
      callOk(project, person, sendMessage, { to: "@review", message: `@alice ${index}` }),
    );
    const receipts = await Promise.all(sends);
    const expected = Array.from({ length: 50 }, (_, index) => `@alice ${index}`);
    expect((await channel(project)).map(({ content }) => content)).toEqual(expected);
    const { deliveries } = await callOk(project, alice, readInbox, { limit: 500 });
    expect(deliveries.map(({ message }) => message.content)).toEqual(expected);
    const ids = receipts.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
  });

  it("is the order of acceptance, whatever the clock does [message.sequence]", async () => {
    await using project = await openTeam();
    for (const [index, jump] of [0, 3_600_000, -86_400_000, 5].entries()) {
      project.clock.set(project.clock.now() + jump);
      await callOk(project, person, sendMessage, { to: "@review", message: `${index}` });
    }
    expect((await channel(project)).map(({ content }) => content)).toEqual(["0", "1", "2", "3"]);
  });
});

describe("any sequence of sends", () => {
  it("delivers each message once to each of its recipients and to nobody else", async () => {
    const names = ["alice", "bob", "carol", "helper"] as const;
    const send = fc.record({
      from: fc.constantFrom("user", ...names),
      mentioned: fc.uniqueArray(fc.constantFrom(...names, "zoe", "all")),
      to: fc.option(fc.constantFrom(...names)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(send, { maxLength: 8 }), async (sends) => {
        await using project = await openTeam();
        const expected = new Map<string, number>(names.map((name) => [name, 0]));
        for (const { from, mentioned, to } of sends) {
          const caller = from === "user" ? person : agentIn(REVIEW, from);
          const message = `hello ${mentioned.map((name) => `@${name}`).join(" ")}`;
          const receipt = await callOk(project, caller, sendMessage, {
            to: to === null ? "@review" : `${to}@review`,
            message,
          });
          const all = mentioned.includes("all");
          const reached = names.filter((name) => name !== from && (all || mentioned.includes(name) || to === name));
          expect(receipt.recipients.map(({ agent }) => agent).toSorted()).toEqual([...reached].toSorted());
          for (const name of reached) expected.set(name, (expected.get(name) ?? 0) + 1);
        }
        for (const name of names) {
          const { deliveries } = await callOk(project, agentIn(REVIEW, name), readInbox, { limit: 500 });
          expect(deliveries).toHaveLength(expected.get(name) ?? 0);
        }
        expect(await channel(project)).toHaveLength(sends.length);
      }),
      runs(15),
    );
  });
});
