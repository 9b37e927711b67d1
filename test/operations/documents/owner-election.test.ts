import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { expireBallots } from "../../../src/operations/ballots/expire-ballots.ts";
import { listBallots } from "../../../src/operations/ballots/list-ballots.ts";
import { writeDocument } from "../../../src/operations/documents/write-document.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentIn, TEAM, workflowFile } from "../../support/team/team.ts";

const SPACE = "@docs:main";

async function openElecting(): Promise<{ project: TestProject; ballot: string }> {
  const agents = "alice: { ref: alice }, bob: { ref: bob }, carol: { ref: carol }";
  const files = { ...TEAM, ...workflowFile("docs", `agents: { ${agents} }\nworkspace: { documentOwner: elect }\n`) };
  const project = await openTestProject({ files });
  await callOk(project, person, openWorkspace, { workflow: "docs" });
  const { ballots } = await callOk(project, person, listBallots, { target: "@docs" });
  const [ballot] = ballots;
  if (ballot === undefined) throw new Error("no election");
  return { project, ballot: ballot.id };
}

function write(project: TestProject, agent: string) {
  return project.system.propose(agentIn(SPACE, agent), writeDocument, { content: `by ${agent}` });
}

describe("a workspace whose owner is to be elected", () => {
  it("[document.election-blocks] opens with a ballot among its participants, and nobody may write until it is decided", async () => {
    const { project, ballot } = await openElecting();
    await using _ = project;
    expect(await callOk(project, person, showWorkspace, { target: "@docs" })).toMatchObject({
      documentOwner: null,
      electing: true,
      openBallots: 1,
    });
    expect(project.woken).toEqual(["alice", "bob", "carol"]);
    for (const agent of ["alice", "bob", "carol"]) {
      expect(await write(project, agent)).toMatchObject({
        ok: false,
        error: { code: "forbidden", message: "Nobody writes the documents before their owner is elected." },
      });
    }
    for (const agent of ["alice", "bob", "carol"]) {
      await callOk(project, agentIn(SPACE, agent), castVote, { id: ballot, option: "bob" });
    }
    expect(await callOk(project, person, showWorkspace, { target: "@docs" })).toMatchObject({
      documentOwner: "bob",
      electing: false,
      openBallots: 0,
    });
    expect(await write(project, "bob")).toMatchObject({ ok: true });
    expect(await write(project, "alice")).toMatchObject({ ok: false, error: { code: "forbidden" } });
  });

  it("ends with an owner even when nobody votes", async () => {
    const { project } = await openElecting();
    await using _ = project;
    project.clock.advance(3_600_000);
    await callOk(project, systemCaller, expireBallots, {});
    expect(await callOk(project, person, showWorkspace, { target: "@docs" })).toMatchObject({
      documentOwner: "alice",
      electing: false,
    });
  });

  it("keeps an owner it elected when it is opened again, and elects one when it has none", async () => {
    const { project, ballot } = await openElecting();
    await using _ = project;
    await callOk(project, person, closeWorkspace, { target: "@docs" });
    expect(await callRefused(project, agentIn(SPACE, "bob"), castVote, { id: ballot, option: "bob" })).toMatchObject({
      code: "closed",
    });
    expect(await callOk(project, person, openWorkspace, { workflow: "docs" })).toMatchObject({ electing: true });
    project.clock.advance(3_600_000);
    await callOk(project, systemCaller, expireBallots, {});
    await callOk(project, person, closeWorkspace, { target: "@docs" });
    const again = await callOk(project, person, openWorkspace, { workflow: "docs", continue: true });
    expect(again).toMatchObject({ documentOwner: "alice", electing: false });
  });
});
