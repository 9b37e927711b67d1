import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { person } from "../../src/kernel/caller.ts";
import { openWorkspace } from "../../src/operations/workspaces/open-workspace.ts";
import { openLocalProject, type LocalProject } from "./local-project.ts";

/** A project with two agents and one open workspace, on disk as a person would write it, and perhaps edit it. */
export async function openReviewProject(folder: string, edit: () => void = () => {}): Promise<LocalProject> {
  writeReviewProject(folder);
  edit();
  const local = await openLocalProject(folder);
  const opened = await local.project.system.propose(person, openWorkspace, { workflow: "review" });
  if (!opened.ok) throw new Error(opened.error.message);
  return local;
}

export function writeReviewProject(folder: string): void {
  mkdirSync(join(folder, ".agents"), { recursive: true });
  mkdirSync(join(folder, ".workflows"), { recursive: true });
  for (const name of ["alice", "bob"]) {
    writeFileSync(
      join(folder, ".agents", `${name}.yaml`),
      `name: ${name}\nbackend: mock\nprompt:\n  system: Review.\n`,
    );
  }
  const workflow = "name: review\nagents:\n  alice: { ref: alice }\n  bob: { ref: bob }\n";
  writeFileSync(join(folder, ".workflows", "review.yaml"), workflow);
}
