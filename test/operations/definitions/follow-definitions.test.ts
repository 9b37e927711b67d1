import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { followDefinitions } from "../../../src/operations/definitions/follow-definitions.ts";
import { listMembers } from "../../../src/operations/workspaces/list-members.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { setRole } from "../../../src/operations/workspaces/set-role.ts";
import { setStatus } from "../../../src/operations/workspaces/set-status.ts";
import { callOk } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const target = "@review";
const WITHOUT_CAROL = `name: review
agents:
  helper: { backend: mock, prompt: { system: You help. } }
  scribe: { ref: bob }
  alice: { ref: alice }
`;

describe("members that follow the file of their workflow", () => {
  it("keep the role they were given and what they said of themselves [definitions.members]", async () => {
    await using project = await openTeam();
    await callOk(project, person, setRole, { target, agent: "alice", role: "editor" });
    await callOk(project, person, setRole, { target, agent: "carol", role: "writer" });
    await callOk(project, agentIn(REVIEW, "alice"), setStatus, { task: "reading" });
    project.write(".workflows/review.yaml", WITHOUT_CAROL);
    await project.definitions.refresh();
    const { members } = await callOk(project, person, listMembers, { target });
    expect(members.map(({ agent, role, task }) => [agent, role, task])).toEqual([
      ["helper", null, null],
      ["scribe", null, null],
      ["alice", "editor", "reading"],
    ]);
    expect(await callOk(project, systemCaller, followDefinitions, {})).toEqual({ changed: [] });
  });

  it("are those of the current instance only: earlier ones stay as they were [definitions.members]", async () => {
    await using project = await openTeam();
    await callOk(project, person, closeWorkspace, { target });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    project.write(".workflows/review.yaml", WITHOUT_CAROL);
    await project.definitions.refresh();
    const names = async (space: string): Promise<string[]> =>
      (await callOk(project, person, listMembers, { target: space })).members.map(({ agent }) => agent);
    expect(await names(target)).toEqual(["helper", "scribe", "alice"]);
    expect(await names("@review~1")).toEqual(["alice", "bob", "carol", "helper"]);
  });
});
