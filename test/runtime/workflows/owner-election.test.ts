import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { cancelBallot } from "../../../src/operations/ballots/cancel-ballot.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { listBallots } from "../../../src/operations/ballots/list-ballots.ts";
import { showWorkspace } from "../../../src/operations/workspaces/show-workspace.ts";
import { callOk } from "../../support/team/project.ts";
import { eventually, type LiveTestProject } from "../../support/team/running-project.ts";
import { openTask, stateOf } from "../../support/team/started-workflow.ts";
import { agentIn } from "../../support/team/team.ts";

const ELECTS = 'workspace: { documentOwner: elect }\nkickoff: "@alice the task"\n';

async function electionOf(project: LiveTestProject) {
  const { ballots } = await callOk(project, person, listBallots, { target: "@task" });
  const [election] = ballots;
  if (election === undefined) throw new Error("no election");
  return election;
}

const elect = async (project: LiveTestProject, space: string): Promise<void> => {
  const { id } = await electionOf(project);
  for (const voter of ["alice", "bob"]) await callOk(project, agentIn(space, voter), castVote, { id, option: "bob" });
};

const kinds = async (project: LiveTestProject, space: string): Promise<string[]> =>
  (await project.messages(space))
    .filter(({ kind, sender }) => sender === "system" || kind === "kickoff")
    .map(({ kind }) => kind);

const ownerOf = async (project: LiveTestProject) =>
  (await callOk(project, person, showWorkspace, { target: "@task" })).documentOwner;

describe("a workflow that elects its document owner", () => {
  it("[document.election] posts the kickoff in the transaction that decides the election, which lasts two minutes", async () => {
    const { project: opened } = await openTask(ELECTS);
    await using project = opened;
    const space = await project.start("task");
    await project.quiet();
    expect(await kinds(project, space)).toEqual(["message"]);
    const { openedAt, expiresAt, fallback } = await electionOf(project);
    expect(Date.parse(expiresAt) - Date.parse(openedAt)).toBe(120_000);
    expect(fallback).toBe("alice");
    await elect(project, space);
    expect(await ownerOf(project)).toBe("bob");
    expect(await kinds(project, space)).toEqual(["message", "notice", "notice", "notice", "kickoff"]);
  });

  it("[votes.election-restart] goes on with its start after a restart during the election", async () => {
    const { project: opened } = await openTask(ELECTS);
    const space = await opened.start("task", { untilIdle: false });
    await opened.quiet();
    await using project = await opened.restart();
    await elect(project, space);
    expect((await kinds(project, space)).at(-1)).toBe("kickoff");
  });

  it("that runs until it is idle ends although nobody votes, with the first participant as the owner", async () => {
    const { project: opened } = await openTask(ELECTS);
    await using project = opened;
    const space = await project.start("task", { untilIdle: true });
    await eventually("it is closed", async () => (await stateOf(project, space)) === "closed");
    expect(await kinds(project, space)).toEqual(["message", "message", "notice", "kickoff"]);
    expect(await ownerOf(project)).toBe("alice");
  });

  it("goes on with the first participant when a person cancels the election", async () => {
    const { project: opened } = await openTask(ELECTS);
    await using project = opened;
    const space = await project.start("task");
    await callOk(project, person, cancelBallot, { id: (await electionOf(project)).id });
    expect(await ownerOf(project)).toBe("alice");
    expect((await kinds(project, space)).at(-1)).toBe("kickoff");
  });

  it("lets the file say how long the election lasts", async () => {
    const { project: opened } = await openTask(ELECTS.replace("elect }", "elect, electionTimeout: 30s }"));
    await using project = opened;
    await project.start("task");
    const { openedAt, expiresAt } = await electionOf(project);
    expect(Date.parse(expiresAt) - Date.parse(openedAt)).toBe(30_000);
  });
});
