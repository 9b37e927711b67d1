import { readFileSync } from "node:fs";
import { join } from "node:path";
import { person } from "../../../src/kernel/caller.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { callOk, type TestProject, type TestProjectOptions } from "./project.ts";
import { openTeam, workflowFile } from "./team.ts";

const AGENTS = `agents:
  alice: { ref: alice }
  bob: { ref: bob }
  helper: { backend: mock, prompt: { system: You help. } }
`;

/** The team, in which `review` is open and mirrored: alice, bob and a helper of its own. */
export function openMirrored(settings = "workspace: { provider: file }", options: TestProjectOptions = {}) {
  return openTeam({ ...options, files: { ...workflowFile("review", `${AGENTS}${settings}\n`), ...options.files } });
}

export function say(project: TestProject, message: string, to = "@review", caller = person) {
  return callOk(project, caller, sendMessage, { to, message });
}

/** A file of the workspace `review`, once the mirror has nothing left to do. */
export async function mirrored(project: TestProject, name = "channel.md"): Promise<string> {
  await project.mirror.settled();
  return readFileSync(inMirror(project, name), "utf8");
}

export function inMirror(project: TestProject, name: string): string {
  return join(project.dir, ".workspace/review/main", name);
}
