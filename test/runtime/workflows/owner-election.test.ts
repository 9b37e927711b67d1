import { expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { listBallots } from "../../../src/operations/ballots/list-ballots.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import { callOk } from "../../support/team/project.ts";
import { openTask } from "../../support/team/started-workflow.ts";
import { agentIn } from "../../support/team/team.ts";

it("[document.election] a workflow that elects its document owner calls the ballot before the kickoff", async () => {
  const { project: opened } = await openTask('workspace: { documentOwner: elect }\nkickoff: "@alice the task"\n');
  await using project = opened;
  const space = await project.start("task");
  await project.quiet();
  const messages = await project.messages(space);
  expect(messages.slice(0, 2).map(({ kind }) => kind)).toEqual(["message", "kickoff"]);
  const { ballots } = await callOk(project, person, listBallots, { target: "@task" });
  expect(messages[0]?.body).toContain(ballots[0]?.id);
  for (const voter of ["alice", "bob"]) {
    await callOk(project, agentIn(space, voter), castVote, { id: ballots[0]?.id ?? "", option: "bob" });
  }
  expect(await callOk(project, person, showWorkspace, { target: "@task" })).toMatchObject({ documentOwner: "bob" });
});
