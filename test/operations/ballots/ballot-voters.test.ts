import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { cancelBallot } from "../../../src/operations/ballots/cancel-ballot.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { showBallot } from "../../../src/operations/ballots/show-ballot.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { openBallot, vote } from "../../support/team/ballot.ts";
import { callOk, callRefused, openTestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

const alice = agentIn(REVIEW, "alice");
const bob = agentIn(REVIEW, "bob");
const carol = agentIn(REVIEW, "carol");

describe("who may vote", () => {
  it("is whoever took part when the ballot was opened [ballot.eligible-default]", async () => {
    await using project = await openTestProject({
      files: { ...TEAM, ...workflowFile("pair", "agents: { alice: { ref: alice }, bob: { ref: bob } }\n") },
    });
    await callOk(project, person, openWorkspace, { workflow: "pair" });
    const at = (name: string) => agentIn("@pair:main", name);
    const ballot = await openBallot(project, {}, at("alice"));
    expect(ballot.voters).toEqual(["alice", "bob"]);
    const record = await project.store.read((store) => store.workspaces.participants("@pair:main"));
    await project.store.transact(async (store) => {
      const [first] = record;
      if (first !== undefined) {
        await store.workspaces.setParticipants("@pair:main", [...record, { ...first, agent: "carol", position: 2 }]);
      }
      return { ok: true, value: undefined };
    });
    expect(await callRefused(project, at("carol"), castVote, { id: ballot.id, option: "sqlite" })).toMatchObject({
      code: "forbidden",
      hint: expect.stringContaining("alice, bob"),
    });
  });

  it("is whoever was named [ballot.eligible-given]", async () => {
    await using project = await openTeam();
    const ballot = await openBallot(project, { voters: ["bob", "carol"] });
    expect(await callRefused(project, alice, castVote, { id: ballot.id, option: "sqlite" })).toMatchObject({
      code: "forbidden",
    });
    await vote(project, bob, ballot.id, "sqlite");
    expect(await vote(project, carol, ballot.id, "sqlite")).toMatchObject({ state: "resolved", winner: "sqlite" });
    for (const voters of [["bob", "zoe"], ["system"], ["Bob"]]) {
      const refusal = await callRefused(project, alice, createBallot, { type: "approval", title: "x", voters });
      expect(refusal.code).toBe("not_participant");
    }
    expect(
      await callRefused(project, alice, createBallot, { type: "approval", title: "x", voters: ["bob", "bob"] }),
    ).toMatchObject({
      code: "invalid",
    });
  });

  it("is a person only when invited [ballot.person-invited]", async () => {
    await using project = await openTeam();
    const without = await openBallot(project);
    expect(await callRefused(project, person, castVote, { id: without.id, option: "sqlite" })).toMatchObject({
      code: "forbidden",
    });
    const invited = await openBallot(project, { voters: ["user"] });
    expect(await vote(project, person, invited.id, "postgres")).toMatchObject({
      state: "resolved",
      winner: "postgres",
    });
  });

  it("is nobody of another workspace", async () => {
    const files = { ...TEAM, ...workflowFile("deploy", "agents: { bob: { ref: bob } }\n") };
    await using project = await openTestProject({ files });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    await callOk(project, person, openWorkspace, { workflow: "deploy" });
    const ballot = await openBallot(project);
    const elsewhere = agentIn("@deploy:main", "bob");
    for (const operation of [showBallot, cancelBallot]) {
      expect(await callRefused(project, elsewhere, operation, { id: ballot.id })).toMatchObject({ code: "not_found" });
    }
    expect(await callRefused(project, elsewhere, castVote, { id: ballot.id, option: "sqlite" })).toMatchObject({
      code: "not_found",
    });
  });
});
