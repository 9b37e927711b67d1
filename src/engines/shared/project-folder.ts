import { join, relative, resolve } from "node:path";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import type { SessionSpec } from "../../ports/engine.ts";

/** Returns the folder of the project in which an agent works, or of its worktree. Absolute. */
export function projectFolder({ cwd, agent }: { readonly cwd: string; readonly agent: Pick<AgentDefinition, "cwd"> }) {
  return resolve(cwd, relative(agent.cwd ?? ".", "."));
}

/** Returns the folders of the project that the agent's program must not read. Absolute. */
export function privateFolders(spec: Pick<SessionSpec, "cwd" | "agent" | "personalFolders">): readonly string[] {
  const project = projectFolder(spec);
  return [...spec.personalFolders.others, ".workspace"].map((folder) => join(project, folder));
}
