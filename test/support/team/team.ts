import type { Caller } from "../../../src/kernel/caller.ts";
import { person } from "../../../src/kernel/caller.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { callOk, openTestProject, type TestProject, type TestProjectOptions } from "./project.ts";

/** An agent of the project, as a file. */
export function agentFile(name: string, more = ""): Record<string, string> {
  return { [`.agents/${name}.yaml`]: `name: ${name}\nbackend: mock\nprompt: { system: You are ${name}. }\n${more}` };
}

export function workflowFile(name: string, body: string): Record<string, string> {
  return { [`.workflows/${name}.yaml`]: `name: ${name}\n${body}` };
}

/** Alice, bob and carol, and the workflow `review` that all three take part in, with a helper of its own. */
export const TEAM: Readonly<Record<string, string>> = {
  ...agentFile("alice", "soul: { role: reviewer }\n"),
  ...agentFile("bob"),
  ...agentFile("carol"),
  ...workflowFile(
    "review",
    `agents:
  alice: { ref: alice }
  bob: { ref: bob }
  carol: { ref: carol }
  helper: { backend: mock, prompt: { system: You help. } }
`,
  ),
};

export const REVIEW = "@review:main";

/** A project with the team, in which `review` is open. */
export async function openTeam(options: TestProjectOptions = {}): Promise<TestProject> {
  const project = await openTestProject({ ...options, files: { ...TEAM, ...options.files } });
  await callOk(project, person, openWorkspace, { workflow: "review" });
  return project;
}

/** The agent of a run in this space, answering the message with this id. */
export function agentIn(space: string, name: string, cause: string | null = null): Caller {
  return { kind: "agent", name, space, run: null, cause };
}
