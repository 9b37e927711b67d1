import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { expireBallots } from "../../../src/operations/ballots/expire-ballots.ts";
import { listBallots } from "../../../src/operations/ballots/list-ballots.ts";
import { showBallot } from "../../../src/operations/ballots/show-ballot.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { implementations } from "../../../src/operations/registry.gen.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import { openBallot, said, vote } from "../../support/team/ballot.ts";
import { callOk, callRefused, openTestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

const alice = agentIn(REVIEW, "alice");
const bob = agentIn(REVIEW, "bob");
const carol = agentIn(REVIEW, "carol");

describe("a binding ballot", () => {
  const owner = (name: string) => ({
    id: name,
    label: name,
    then: { propose: "set-document-owner", data: { target: "@review", owner: name } },
  });

  it("does what the winning option says, in the transaction of the last vote [ballot.binding]", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, {
      type: "election",
      options: [owner("alice"), owner("bob")],
      binding: true,
      voters: ["bob", "carol"],
    });
    await vote(project, bob, ballot.id, "bob");
    expect(await callOk(project, person, showWorkspace, { target: "@review" })).toMatchObject({ documentOwner: null });
    const decided = await vote(project, carol, ballot.id, "bob");
    expect(decided).toMatchObject({
      state: "resolved",
      winner: "bob",
      effect: { propose: "set-document-owner", refused: null },
    });
    expect(await callOk(project, person, showWorkspace, { target: "@review" })).toMatchObject({ documentOwner: "bob" });
    const types = project.published.map(({ type }) => type);
    expect(types.indexOf("document.owner")).toBe(types.indexOf("ballot.closed") + 2);
  });

  it("cannot be decided by the agent alone that opens it [ballot.binding]", async () => {
    await using project = await openTeam();
    const ballot = {
      title: "Owner",
      type: "election" as const,
      options: [owner("alice"), owner("bob")],
      binding: true,
    };
    for (const alone of [{ voters: ["alice"] }, { quorum: 1 }]) {
      const refusal = await callRefused(project, alice, createBallot, { ...ballot, ...alone });
      expect(refusal).toMatchObject({ code: "invalid", hint: expect.stringContaining("user is the person") });
    }
    await callOk(project, alice, createBallot, { ...ballot, voters: ["alice", "user"] });
  });

  it("speaks as the system when its consequence is a message", async () => {
    await using project = await openTeam();
    const then = { propose: "send-message", data: { to: "@review", message: "@carol start" } };
    const ballot = await openBallot(project, {
      type: "assignment",
      options: [{ label: "Carol", then }, "Nobody"],
      binding: true,
      voters: ["bob"],
    });
    await vote(project, bob, ballot.id, "carol");
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages.at(-1)).toMatchObject({ from: "system", content: "@carol start", mentions: ["carol"] });
    expect(project.woken.at(-1)).toBe("carol");
  });

  it("may close its own workspace", async () => {
    await using project = await openTeam();
    const then = { propose: "close-workspace", data: { target: "@review" } };
    const ballot = await openBallot(project, {
      options: [{ label: "Stop", then }, "Go on"],
      binding: true,
      voters: ["bob"],
    });
    const other = await openBallot(project);
    expect(await vote(project, bob, ballot.id, "stop")).toMatchObject({ state: "resolved", effect: { refused: null } });
    expect(await callOk(project, person, showWorkspace, { target: "@review" })).toMatchObject({ state: "closed" });
    expect(await callOk(project, person, showBallot, { id: other.id })).toMatchObject({ state: "cancelled" });
  });

  it("stands when its consequence is refused: the refusal is kept and announced, and nothing of it remains", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, {
      type: "election",
      options: [owner("alice"), owner("zoe")],
      binding: true,
      voters: ["bob"],
    });
    const decided = await vote(project, bob, ballot.id, "zoe");
    expect(decided).toMatchObject({
      state: "resolved",
      winner: "zoe",
      effect: { propose: "set-document-owner", refused: 'zoe is not a participant in workflow "review".' },
    });
    expect((await said(project)).at(-1)).toContain("set-document-owner was refused. zoe is not a participant");
    expect(project.published.some(({ type }) => type === "document.owner")).toBe(false);
    expect(await callOk(project, person, showWorkspace, { target: "@review" })).toMatchObject({ documentOwner: null });
  });

  it("is refused at once when its consequence is unknown, cannot be voted on, is malformed or lies elsewhere", async () => {
    await using project = await openTeam();
    const attempt = (propose: string, data: unknown) =>
      callRefused(project, alice, createBallot, {
        type: "decision",
        title: "x",
        options: [{ label: "yes", then: { propose, data } }, "no"],
        binding: true,
      });
    expect(await attempt("set-document-ownr", {})).toMatchObject({
      code: "invalid",
      hint: expect.stringContaining('Did you mean "set-document-owner"?'),
    });
    expect(await attempt("open-workspace", { workflow: "review" })).toMatchObject({ code: "invalid" });
    expect(await attempt("send-message", { to: "@review" })).toMatchObject({
      code: "invalid",
      message: expect.stringContaining('"message"'),
    });
    for (const to of ["bob", "@deploy", "bob@review:other"]) {
      expect(await attempt("send-message", { to, message: "x" })).toMatchObject({ code: "forbidden" });
    }
    expect((await callOk(project, person, listBallots, { target: "@review", all: true })).ballots).toEqual([]);
  });

  it("can decide about every operation that may be voted on, and about no other", async () => {
    await using project = await openTeam();
    const { hint } = await callRefused(project, person, createBallot, {
      target: "@review",
      type: "decision",
      title: "What then?",
      options: ["a", { label: "b", then: { propose: "qqq", data: {} } }],
      binding: true,
    });
    const ballotable = Object.values(implementations)
      .filter((each) => each.kind === "proposal" && each.ballotable)
      .map(({ name }) => name);
    const listed = /^Known consequences: (.*)\.$/.exec(hint ?? "")?.[1]?.split(", ") ?? [];
    expect(listed.toSorted()).toEqual(ballotable.toSorted());
  });

  it("differs from one that is not binding, which records its winner and does nothing [ballot.advisory]", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, {
      type: "election",
      options: [owner("alice"), owner("bob")],
      binding: false,
      voters: ["bob"],
    });
    expect(await vote(project, bob, ballot.id, "bob")).toMatchObject({
      state: "resolved",
      winner: "bob",
      effect: null,
    });
    expect(await callOk(project, person, showWorkspace, { target: "@review" })).toMatchObject({ documentOwner: null });
  });
});

describe("a ballot in a workspace kept in memory", () => {
  it("is found by its voters, and by a person who names the workspace", async () => {
    const files = {
      ...TEAM,
      ...workflowFile(
        "scratch",
        "agents: { alice: { ref: alice }, bob: { ref: bob } }\nworkspace: { provider: memory }\n",
      ),
    };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "scratch" });
    const ballot = await openBallot(project, { voters: ["alice", "user"] }, agentIn("@scratch:main", "alice"));
    await vote(project, agentIn("@scratch:main", "alice"), ballot.id, "sqlite");
    expect(await callOk(project, person, showBallot, { id: ballot.id })).toMatchObject({ missing: ["user"] });
    expect(
      await callOk(project, person, castVote, { id: ballot.id, option: "sqlite", target: "@scratch" }),
    ).toMatchObject({
      state: "resolved",
    });
    const late = await openBallot(project, { timeout: "1m" }, agentIn("@scratch:main", "alice"));
    project.clock.advance(60_000);
    expect(await callOk(project, systemCaller, expireBallots, {})).toEqual({
      closed: [{ id: late.id, state: "expired" }],
    });
  });
});
