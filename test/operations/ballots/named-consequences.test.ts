import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { listMembers } from "../../../src/operations/workspaces/list-members.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import { openBallot, vote, type NewBallot } from "../../support/team/ballot.ts";
import { callOk, callRefused } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const alice = agentIn(REVIEW, "alice");
const bob = agentIn(REVIEW, "bob");

describe("a consequence with a name", () => {
  it("is about the participant that the option names, in the workspace of the ballot", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, {
      type: "election",
      options: ["alice", { label: "The second", then: "document-owner carol" }],
      then: "role: lead",
      voters: ["bob"],
    });
    expect(ballot).toMatchObject({
      binding: true,
      options: [
        { then: { propose: "set-role", data: { target: REVIEW, agent: "alice", role: "lead" } } },
        { then: { propose: "set-document-owner", data: { target: REVIEW, owner: "carol" } } },
      ],
    });
  });

  it("gives a role that the team sees until the workspace closes", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, { options: ["bob", "carol"], then: "role: lead", voters: ["bob"] });
    await vote(project, bob, ballot.id, "carol");
    const { members } = await callOk(project, alice, listMembers, {});
    expect(members.find(({ agent }) => agent === "carol")).toMatchObject({ role: "lead" });
  });

  it("of an approval happens when it is approved only", async () => {
    await using project = await openTeam();
    const approval: Partial<NewBallot> = {
      type: "approval",
      options: [],
      then: "assign bob: Merge it",
      voters: ["bob"],
    };
    const rejected = await openBallot(project, approval);
    expect(await vote(project, bob, rejected.id, "reject")).toMatchObject({ state: "resolved", effect: null });
    const approved = await openBallot(project, approval);
    await vote(project, bob, approved.id, "approve");
    const { messages } = await callOk(project, person, peekChannel, { target: "@review" });
    expect(messages.at(-1)).toMatchObject({ to: "bob", content: expect.stringContaining("Merge it") });
  });

  it("defaults to the workspace of the ballot, also when it is written as an operation", async () => {
    await using project = await openTeam();
    const then = (owner: string) => ({ label: owner, then: { propose: "set-document-owner", data: { owner } } });
    const ballot = await openBallot(project, { options: [then("alice"), then("bob")], voters: ["bob"] });
    expect(await vote(project, bob, ballot.id, "bob")).toMatchObject({ effect: { refused: null } });
    expect(await callOk(project, person, showWorkspace, { target: "@review" })).toMatchObject({ documentOwner: "bob" });
  });

  it("is refused when it cannot be, and the refusal says what is missing", async () => {
    await using project = await openTeam();
    const attempt = (more: Partial<NewBallot>) =>
      callRefused(project, alice, createBallot, {
        type: "election",
        title: "Who?",
        options: ["alice", "bob"],
        ...more,
      });
    expect(await attempt({ binding: true })).toMatchObject({ message: expect.stringContaining('"then" is missing') });
    expect(await attempt({ then: "document-ownr" })).toMatchObject({
      hint: expect.stringContaining('Did you mean "document-owner"?'),
    });
    expect(await attempt({ then: "role" })).toMatchObject({ hint: expect.stringContaining('"role: ROLE"') });
    expect(await attempt({ then: "assign:" })).toMatchObject({ hint: expect.stringContaining('"assign: TASK"') });
    expect(await attempt({ options: ["now", "later"], then: "document-owner" })).toMatchObject({
      code: "not_participant",
      hint: expect.stringContaining("alice"),
    });
    const data = [{ label: "a", then: { propose: "set-document-owner", data: {} } }, "b"];
    expect(await attempt({ options: data })).toMatchObject({ message: expect.stringContaining('"owner"') });
  });
});
