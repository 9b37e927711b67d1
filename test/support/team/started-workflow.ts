import type { StartRequest } from "../../../src/runtime/workflows/workflow-lifecycle.ts";
import { scriptedEngine, type Script, type ScriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { openLiveTestProject, type LiveTestOptions, type LiveTestProject } from "./running-project.ts";
import { TEAM, workflowFile } from "./team.ts";

export const never: AbortSignal = new AbortController().signal;

export const ALICE_AND_BOB = "agents:\n  alice: { ref: alice }\n  bob: { ref: bob }\n";

/** A project with the workflow `task` of alice and bob, and whatever else is in its body. */
export async function openTask(
  body: string,
  script: Script = () => "",
  more: LiveTestOptions = {},
): Promise<{ readonly engine: ScriptedEngine; readonly project: LiveTestProject }> {
  const engine = scriptedEngine(script);
  const files = { ...TEAM, ...workflowFile("task", ALICE_AND_BOB + body), ...more.files };
  return { engine, project: await openLiveTestProject({ ...more, files, engine }) };
}

export function startRequest(workflow: string, more: Partial<StartRequest> = {}): StartRequest {
  return { workflow, tag: "main", params: {}, untilIdle: false, staysOpen: true, watch: () => {}, ...more };
}

export async function stateOf(project: LiveTestProject, space: string): Promise<"open" | "closed" | undefined> {
  return (await project.store.read((store) => store.workspaces.status(space)))?.state;
}

export async function lastNotice(project: LiveTestProject, space: string): Promise<string | undefined> {
  return (await project.messages(space)).findLast(({ kind }) => kind === "notice")?.body;
}
