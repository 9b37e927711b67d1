import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRunningProject, type DaemonProject } from "../../src/daemon/running-project.ts";
import { person } from "../../src/kernel/caller.ts";
import { openWorkspace } from "../../src/operations/workspaces/open-workspace.ts";
import type { Engine } from "../../src/ports/engine.ts";
import { localOptions } from "./local-options.ts";

/** A live project with agents a1, a2, … in one open workspace `team`, on the given engine, with budgets out of the way. */
export async function openTeamProject(folder: string, agents: number, engine: Engine): Promise<DaemonProject> {
  mkdirSync(join(folder, ".agents"), { recursive: true });
  mkdirSync(join(folder, ".workflows"), { recursive: true });
  const names = Array.from({ length: agents }, (_, i) => `a${i + 1}`);
  for (const name of names) {
    writeFileSync(join(folder, ".agents", `${name}.yaml`), `name: ${name}\nbackend: mock\nprompt:\n  system: Work.\n`);
  }
  const entries = names.map((name) => `  ${name}: { ref: ${name} }\n`).join("");
  const budget = "budget:\n  hops: 1000000\n  turns: 1000000\n";
  writeFileSync(join(folder, ".workflows", "team.yaml"), `name: team\nagents:\n${entries}`);
  writeFileSync(join(folder, "moniro.yaml"), `defaults:\n  ${budget.replaceAll("\n  ", "\n    ")}`);
  const project = await openRunningProject({ ...localOptions(folder), engines: new Map([["mock", engine]]) });
  const opened = await project.system.propose(person, openWorkspace, { workflow: "team" });
  if (!opened.ok) throw new Error(opened.error.message);
  return project;
}

/** Resolves when the workspace has been idle for a moment. */
export async function drained(project: DaemonProject): Promise<void> {
  await project.runtime.idle.untilIdle("@team:main", new AbortController().signal);
}
