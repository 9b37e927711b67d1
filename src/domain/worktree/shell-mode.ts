import type { RuntimeSettings } from "../agent/definition.ts";
import { DEFAULT_ENGINE } from "../agent/engines.ts";
import { bringsOwnTools } from "../agent/tool-choice.ts";

/** Why an agent with these settings cannot begin to work: its shell fits neither its engine nor its worktree. */
export interface ShellModeProblem {
  readonly key: "permissions" | "worktree";
  readonly message: string;
  readonly hint: string;
}

export function findShellModeProblem(name: string, settings: RuntimeSettings): ShellModeProblem | undefined {
  const { backend = DEFAULT_ENGINE, permissions, worktree } = settings;
  const mode = permissions?.mode ?? "virtual";
  if (mode === "project" && bringsOwnTools(settings)) {
    const message = `${name} has "mode: project", but ${backend} has a shell and file tools of its own.`;
    return { key: "permissions", message, hint: 'Use "mode: host", with "worktree: true" to keep it apart.' };
  }
  if (mode === "virtual" && !bringsOwnTools(settings) && worktree && worktree.of === "agent") {
    const message = `${name} has a worktree, but its shell is virtual and writes no file.`;
    return { key: "worktree", message, hint: 'Add "permissions: { mode: project }", or remove "worktree".' };
  }
  return undefined;
}
