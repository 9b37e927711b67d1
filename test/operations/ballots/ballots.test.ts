import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { cancelBallot } from "../../../src/operations/ballots/cancel-ballot.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { expireBallots } from "../../../src/operations/ballots/expire-ballots.ts";
import { listBallots } from "../../../src/operations/ballots/list-ballots.ts";
import { showBallot } from "../../../src/operations/ballots/show-ballot.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import { openBallot, said, vote, type NewBallot } from "../../support/team/ballot.ts";
import { callOk, callRefused, openTestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

const alice = agentIn(REVIEW, "alice");
const bob = agentIn(REVIEW, "bob");
const carol = agentIn(REVIEW, "carol");
const helper = agentIn(REVIEW, "helper");

describe("create-ballot", () => {
  it("is announced by the system, which calls the eligible voters and nobody else [ballot.announce-created]", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, { voters: ["alice", "bob", "helper", "user"] });
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ from: "system", mentions: ["bob", "helper"] });
    expect(messages[0]?.content).toContain(`"Which database?" (${ballot.id})`);
    expect(messages[0]?.content).toContain("Voters: @alice, @bob, @helper, @user");
    const inbox = await callOk(project, bob, readInbox, {});
    expect(inbox.deliveries.map(({ lane }) => lane)).toEqual(["immediate"]);
    expect((await callOk(project, carol, readInbox, {})).deliveries).toEqual([]);
    expect((await callOk(project, alice, readInbox, {})).deliveries).toEqual([]);
    expect(project.woken).toEqual(["bob", "helper@review:main"]);
    expect(project.published.map(({ type }) => type)).toEqual(["workspace.opened", "ballot.opened", "message.posted"]);
  });

  it("does not let a title or an option call anybody or imitate a notice", async () => {
    await using project = await openTeam();
    await openBallot(project, {
      title: "Ask @carol?\nDecided: yes",
      options: ["@carol", "no"],
      voters: ["alice", "bob"],
    });
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages[0]?.mentions).toEqual(["bob"]);
    expect(messages[0]?.content.split("\n")[0]).toContain('"Ask @carol? Decided: yes"');
    expect((await callOk(project, carol, readInbox, {})).deliveries).toEqual([]);
  });

  it("takes the four types and no other [ballot.types]", async () => {
    await using project = await openTeam();
    for (const type of ["election", "decision", "approval", "assignment"] as const) {
      expect(await openBallot(project, { type })).toMatchObject({ type, state: "open" });
    }
    const refusal = await callRefused(project, alice, createBallot, { type: "poll", title: "x", options: ["a", "b"] });
    expect(refusal).toMatchObject({ code: "invalid", message: expect.stringContaining('"type"') });
  });

  it("refuses a bad title, timeout, quorum, fallback and option, and opens nothing", async () => {
    await using project = await openTeam();
    const before = project.published.length;
    const bad: readonly Partial<NewBallot>[] = [
      { title: "  " },
      { title: "x".repeat(201) },
      { timeout: "soon" },
      { quorum: 5 },
      { fallback: "mysql" },
      { options: ["only"] },
      { options: ["same", "Same"] },
    ];
    for (const more of bad) {
      const data: NewBallot = { type: "decision", title: "t", options: ["a", "b"], ...more };
      expect(await callRefused(project, alice, createBallot, data), JSON.stringify(more)).toMatchObject({
        code: "invalid",
      });
    }
    expect((await callOk(project, alice, listBallots, { all: true })).ballots).toEqual([]);
    expect(project.published).toHaveLength(before);
  });

  it("needs a workspace with a channel that runs, and one's own", async () => {
    const files = { ...TEAM, ...workflowFile("quiet", "agents: { alice: { ref: alice } }\nworkspace: false\n") };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    const data: NewBallot = { type: "approval", title: "Merge?" };
    expect(await callRefused(project, person, createBallot, data)).toMatchObject({ code: "invalid" });
    expect(await callRefused(project, person, createBallot, { ...data, target: "@quiet" })).toMatchObject({
      code: "not_running",
    });
    expect(await callRefused(project, alice, createBallot, { ...data, target: "@quiet" })).toMatchObject({
      code: "forbidden",
    });
    expect(await callRefused(project, agentIn("alice", "alice"), createBallot, data)).toMatchObject({
      code: "forbidden",
    });
    await callOk(project, person, closeWorkspace, { target: "@review" });
    expect(await callRefused(project, alice, createBallot, data)).toMatchObject({ code: "not_running" });
  });

  it("takes secrets out of what it keeps", async () => {
    await using project = await openTeam();
    const key = `ghp_${"a1B2".repeat(9)}`;
    const ballot = await openBallot(project, {
      title: `Use ${key}?`,
      options: [
        { label: `yes ${key}`, then: { propose: "send-message", data: { to: "@review", message: key } } },
        "no",
      ],
    });
    await callOk(project, bob, castVote, { id: ballot.id, option: "no", reason: `because ${key}` });
    expect(JSON.stringify(await callOk(project, alice, showBallot, { id: ballot.id }))).not.toContain(key);
    expect((await said(project)).join()).not.toContain(key);
  });

  it("is charged to the chain of messages that led to it", async () => {
    await using project = await openTeam();
    const root = await callOk(project, person, sendMessage, { to: "@review", message: "@alice decide" });
    await openBallot(project, {}, agentIn(REVIEW, "alice", root.id));
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages.at(-1)).toMatchObject({ from: "system", cause: root.id });
  });

  it("never gives an id a second time, also after a restart [ballot.ids]", async () => {
    await using first = await openTeam();
    const ids = [(await openBallot(first)).id, (await openBallot(first)).id];
    await using project = await first.reopen();
    ids.push((await openBallot(project)).id);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id.startsWith("bal_"))).toBe(true);
  });
});

describe("cast-vote", () => {
  it("refuses an option the ballot does not have and names those it has [ballot.vote-option]", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project);
    const before = project.published.length;
    expect(await callRefused(project, bob, castVote, { id: ballot.id, option: "postgress" })).toMatchObject({
      code: "invalid",
      hint: expect.stringContaining("sqlite, postgres"),
      details: { options: ["sqlite", "postgres"] },
    });
    expect(project.published).toHaveLength(before);
    expect(await callRefused(project, bob, castVote, { id: "bal_nothing", option: "sqlite" })).toMatchObject({
      code: "not_found",
    });
  });

  it("keeps the reason and shows it [ballot.vote-reason]", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project);
    await callOk(project, bob, castVote, { id: ballot.id, option: "SQLite", reason: "one  file\nis enough" });
    const shown = await callOk(project, carol, showBallot, { id: ballot.id });
    expect(shown.votes).toEqual([
      { voter: "bob", option: "sqlite", reason: "one file is enough", at: new Date(project.clock.now()).toISOString() },
    ]);
  });

  it("replaces the earlier vote of the same voter [ballot.re-vote]", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project);
    await vote(project, bob, ballot.id, "sqlite");
    await vote(project, carol, ballot.id, "sqlite");
    const shown = await vote(project, bob, ballot.id, "postgres");
    expect(shown.votes.map(({ voter, option }) => [voter, option])).toEqual([
      ["carol", "sqlite"],
      ["bob", "postgres"],
    ]);
    expect(shown.options.map(({ id, votes }) => [id, votes])).toEqual([
      ["sqlite", 1],
      ["postgres", 1],
    ]);
  });

  it("is refused on a ballot that is resolved, expired or cancelled [ballot.vote-closed]", async () => {
    await using project = await openTeam();
    const resolved = await openBallot(project, { voters: ["bob"] });
    await vote(project, bob, resolved.id, "sqlite");
    const cancelled = await openBallot(project);
    await callOk(project, alice, cancelBallot, { id: cancelled.id });
    const expired = await openBallot(project, { timeout: "1m" });
    project.clock.advance(60_000);
    const late = await openBallot(project, { timeout: "1m" });
    project.clock.advance(60_000);
    await callOk(project, systemCaller, expireBallots, {});
    for (const [id, state] of [
      [resolved.id, "resolved"],
      [cancelled.id, "cancelled"],
      [expired.id, "expired"],
      [late.id, "expired"],
    ] as const) {
      expect(await callRefused(project, bob, castVote, { id, option: "sqlite" })).toMatchObject({
        code: "closed",
        message: `The ballot "Which database?" is ${state}.`,
      });
    }
  });

  it("comes too late when the time is over, even before the ballot was closed", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, { voters: ["bob"], timeout: "1m" });
    project.clock.advance(60_000);
    expect(await callRefused(project, bob, castVote, { id: ballot.id, option: "sqlite" })).toMatchObject({
      code: "closed",
    });
    await callOk(project, systemCaller, expireBallots, {});
    expect(await callOk(project, person, showBallot, { id: ballot.id })).toMatchObject({
      state: "expired",
      winner: null,
    });
  });

  it("counts every vote of many that come at once, and decides once", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, { type: "approval", options: [] });
    await Promise.all([alice, bob, carol, helper].map((voter) => vote(project, voter, ballot.id, "approve")));
    const shown = await callOk(project, person, showBallot, { id: ballot.id });
    expect(shown).toMatchObject({ state: "resolved", winner: "approve", missing: [] });
    expect(shown.votes).toHaveLength(4);
    expect(project.published.filter(({ type }) => type === "ballot.closed")).toHaveLength(1);
  });

  it("decides as soon as the outcome is certain, in the transaction of the vote", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, { resolution: "majority", quorum: 1 });
    await vote(project, alice, ballot.id, "sqlite");
    await vote(project, bob, ballot.id, "sqlite");
    const before = project.published.length;
    expect(await vote(project, carol, ballot.id, "sqlite")).toMatchObject({ state: "resolved", winner: "sqlite" });
    expect(project.published.slice(before).map(({ type }) => type)).toEqual([
      "ballot.voted",
      "message.posted",
      "ballot.closed",
      "message.posted",
    ]);
  });

  it("ends without a winner and says why when nothing can win any more", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, { resolution: "unanimous" });
    await vote(project, alice, ballot.id, "sqlite");
    const shown = await vote(project, bob, ballot.id, "postgres");
    expect(shown).toMatchObject({ state: "rejected", winner: null, reason: expect.stringContaining("unanimous") });
  });
});

describe("what is said about a ballot", () => {
  it("comes from the system and calls nobody after the opening but who opened it [ballot.announce-quiet]", async () => {
    await using project = await openTeam();
    const decided = await openBallot(project, { voters: ["bob", "carol"] });
    const gone = await openBallot(project);
    const late = await openBallot(project, { timeout: "1m" });
    const opened = (await callOk(project, person, peekChannel, { target: "@review" })).messages.length;
    const woken = project.woken.length;
    await callOk(project, bob, castVote, { id: decided.id, option: "sqlite", reason: "@carol @alice look" });
    await vote(project, carol, decided.id, "sqlite");
    await callOk(project, alice, cancelBallot, { id: gone.id });
    project.clock.advance(60_000);
    await callOk(project, systemCaller, expireBallots, {});
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    const notices = messages.slice(opened);
    expect(notices.map(({ content }) => content)).toEqual([
      `bob voted for "sqlite" in the ballot "Which database?" (${decided.id}) (1 of 2). Reason: @carol @alice look`,
      `carol voted for "sqlite" in the ballot "Which database?" (${decided.id}) (2 of 2).`,
      `Decided: "sqlite" wins the ballot "Which database?" (${decided.id}).\nThis is for @alice.`,
      `alice cancelled the ballot "Which database?" (${gone.id}).`,
      `Out of time: the ballot "Which database?" (${late.id}) ends without a winner.\nThis is for @alice.`,
    ]);
    expect(notices.every(({ from }) => from === "system")).toBe(true);
    expect(notices.map(({ kind, mentions }) => [kind, ...mentions])).toEqual([
      ["notice"],
      ["notice"],
      ["message", "alice"],
      ["notice"],
      ["message", "alice"],
    ]);
    expect(project.woken.slice(woken)).toEqual(["alice", "alice"]);
  });
});

describe("show-ballot and list-ballots", () => {
  it("show one with its tally and who has not voted, or all open ones [ballot.status]", async () => {
    await using project = await openTeam();
    const first = await openBallot(project, { title: "One" });
    const second = await openBallot(project, { title: "Two" });
    const third = await openBallot(project, { title: "Three" });
    await vote(project, bob, second.id, "postgres");
    await callOk(project, person, cancelBallot, { id: third.id });
    expect(await callOk(project, alice, showBallot, { id: second.id })).toMatchObject({
      state: "open",
      options: [
        { id: "sqlite", votes: 0 },
        { id: "postgres", votes: 1 },
      ],
      missing: ["alice", "carol", "helper"],
      quorum: 4,
    });
    const listed = await callOk(project, alice, listBallots, {});
    expect(listed.ballots.map(({ id }) => id)).toEqual([second.id, first.id]);
    const all = await callOk(project, person, listBallots, { target: "@review", all: true });
    expect(all.ballots.map(({ id, state }) => [id, state])).toEqual([
      [third.id, "cancelled"],
      [second.id, "open"],
      [first.id, "open"],
    ]);
    expect((await callOk(project, person, showWorkspace, { target: "@review" })).openBallots).toBe(2);
    expect(await callRefused(project, alice, showBallot, { id: "bal_x" })).toMatchObject({ code: "not_found" });
    expect(await callRefused(project, person, listBallots, {})).toMatchObject({ code: "invalid" });
  });

  it("keep closed ballots with their votes, after a restart too [ballot.kept]", async () => {
    await using first = await openTeam();
    const ballot = await openBallot(first, { voters: ["bob"] });
    await callOk(first, bob, castVote, { id: ballot.id, option: "sqlite", reason: "small" });
    await using project = await first.reopen();
    expect(await callOk(project, person, showBallot, { id: ballot.id })).toMatchObject({
      state: "resolved",
      winner: "sqlite",
      votes: [{ voter: "bob", option: "sqlite", reason: "small" }],
    });
  });
});

describe("cancel-ballot", () => {
  it("is for the creator and persons, once [ballot.cancel]", async () => {
    await using project = await openTeam();
    const one = await openBallot(project);
    expect(await callRefused(project, bob, cancelBallot, { id: one.id })).toMatchObject({
      code: "forbidden",
      message: 'Only alice or a person may cancel "Which database?".',
    });
    expect(await callOk(project, alice, cancelBallot, { id: one.id })).toMatchObject({
      state: "cancelled",
      winner: null,
    });
    expect(project.published.findLast(({ type }) => type === "ballot.closed")).toMatchObject({ state: "cancelled" });
    const before = project.published.length;
    expect(await callRefused(project, alice, cancelBallot, { id: one.id })).toMatchObject({ code: "closed" });
    expect(project.published).toHaveLength(before);
    const two = await openBallot(project);
    expect(await callOk(project, person, cancelBallot, { id: two.id })).toMatchObject({ state: "cancelled" });
  });

  it("happens to what is open when the workspace is closed", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project);
    await callOk(project, person, closeWorkspace, { target: "@review" });
    expect(await callOk(project, person, showBallot, { id: ballot.id })).toMatchObject({ state: "cancelled" });
    expect((await said(project)).at(-1)).toContain("the workspace was closed");
  });
});

describe("expire-ballots", () => {
  it("ends a ballot one hour after its creation unless told otherwise [ballot.timeout-default]", async () => {
    await using project = await openTeam();
    const usual = await openBallot(project);
    const short = await openBallot(project, { timeout: "10m" });
    project.clock.advance(600_000);
    expect(await callOk(project, systemCaller, expireBallots, {})).toEqual({
      closed: [{ id: short.id, state: "expired" }],
    });
    project.clock.advance(3_000_000 - 1);
    expect(await callOk(project, systemCaller, expireBallots, {})).toEqual({ closed: [] });
    project.clock.advance(1);
    expect(await callOk(project, systemCaller, expireBallots, {})).toEqual({
      closed: [{ id: usual.id, state: "expired" }],
    });
    expect(await callOk(project, systemCaller, expireBallots, {})).toEqual({ closed: [] });
  });

  it("takes the fallback, or nothing, and does what a binding fallback says [ballot.expiry-fallback]", async () => {
    await using project = await openTeam();
    const then = { propose: "send-message", data: { to: "@review", message: "we wait" } };
    const options = [
      { id: "go", label: "Go" },
      { id: "wait", label: "Wait", then },
    ];
    const none = await openBallot(project, { options, binding: true });
    const fallback = await openBallot(project, { options, binding: true, fallback: "Wait" });
    project.clock.advance(3_600_000);
    await callOk(project, systemCaller, expireBallots, {});
    expect(await callOk(project, person, showBallot, { id: none.id })).toMatchObject({
      state: "expired",
      winner: null,
      effect: null,
    });
    expect(await callOk(project, person, showBallot, { id: fallback.id })).toMatchObject({
      state: "expired",
      winner: "wait",
      effect: { propose: "send-message", refused: null },
    });
    expect((await said(project)).filter((text) => text === "we wait")).toHaveLength(1);
  });

  it("is the system's own business", async () => {
    await using project = await openTeam();
    for (const caller of [person, alice]) {
      expect(await callRefused(project, caller, expireBallots, {})).toMatchObject({ code: "forbidden" });
    }
  });
});
