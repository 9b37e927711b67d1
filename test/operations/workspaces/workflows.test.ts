import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { listWorkflows } from "../../../src/operations/workspaces/list-workflows.ts";
import { callOk, callRefused, openTestProject } from "../../support/team/project.ts";
import { agentIn, REVIEW, TEAM, workflowFile } from "../../support/team/team.ts";

const TESTS = workflowFile(
  "tests",
  `agents:
  bob: { ref: bob }
  helper: { backend: mock, prompt: { system: You help. } }
params:
  package: { description: What to test, required: true }
  runs: { type: number, default: 3 }
  way: { choices: [fast, slow], default: fast, required: true }
  loud: { type: boolean }
setup:
  - shell: touch it-ran
kickoff: "@bob test \${{ params.package }}"
`,
);

describe("list-workflows", () => {
  it("says what each workflow is made of and takes, and runs nothing", async () => {
    await using project = await openTestProject({ files: { ...TEAM, ...TESTS } });
    const { workflows } = await callOk(project, person, listWorkflows, {});
    expect(workflows).toEqual([
      { name: "review", agents: ["alice", "bob", "carol", "helper"], params: [], kickoff: false },
      {
        name: "tests",
        agents: ["bob", "helper"],
        params: [
          {
            name: "package",
            type: "string",
            description: "What to test",
            required: true,
            default: null,
            choices: null,
          },
          { name: "runs", type: "number", description: null, required: false, default: 3, choices: null },
          {
            name: "way",
            type: "string",
            description: null,
            required: false,
            default: "fast",
            choices: ["fast", "slow"],
          },
          { name: "loud", type: "boolean", description: null, required: false, default: null, choices: null },
        ],
        kickoff: true,
      },
    ]);
    expect(existsSync(join(project.dir, "it-ran"))).toBe(false);
    expect(project.published).toEqual([]);
  });

  it("knows a file that came since, and is for persons", async () => {
    await using project = await openTestProject({ files: TEAM });
    project.write(".workflows/later.yaml", "name: later\nagents: { bob: { ref: bob } }\n");
    const { workflows } = await callOk(project, person, listWorkflows, {});
    expect(workflows.map(({ name }) => name)).toEqual(["later", "review"]);
    expect(await callRefused(project, agentIn(REVIEW, "alice"), listWorkflows, {})).toMatchObject({
      code: "forbidden",
    });
  });
});
