import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { findShellModeProblem } from "../../domain/worktree/shell-mode.ts";
import type { WorktreePlace } from "../../domain/worktree/worktree.ts";
import { splitTag } from "../../domain/workspace/sub-space.ts";
import type { Log } from "../../kernel/log.ts";
import type { BegunRun } from "../../operations/runs/begin-run.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { OpenWorktree } from "../../ports/worktrees.ts";
import type { RunningProject } from "../running-project.ts";

/** Opens the worktree that a run works in; null when it works in the project. Throws an EngineFailure when it cannot. */
export async function openRunWorktree(
  { services, store }: RunningProject,
  { run, agent }: BegunRun,
): Promise<OpenWorktree | null> {
  const { definition } = agent;
  refuseMode(definition);
  const { worktree } = definition;
  if (!worktree) return null;
  const workspace = await store.read((reads) => reads.workspaces.byKey(run.space));
  if (workspace === undefined) {
    // Direct messages belong to the agent, and to no workspace.
    return worktree.of === "workspace"
      ? null
      : services.worktrees.open({ agent: definition.name, workspace: null }, worktree, run.agent);
  }
  const place: WorktreePlace = {
    agent: worktree.of === "agent" ? run.agent : null,
    workspace: { workflow: workspace.workflow, tag: splitTag(workspace.tag).tag },
  };
  return services.worktrees.open(place, worktree, run.agent);
}

function refuseMode(definition: AgentDefinition): void {
  const problem = findShellModeProblem(definition.name, definition);
  if (problem !== undefined) throw new EngineFailure("permanent", `${problem.message} ${problem.hint}`);
}

/** Commits what a run changed. Work that cannot be committed stays in the worktree, and the next commit takes it. */
export async function commitWork(
  log: Log,
  worktree: OpenWorktree | null,
  { id, agent }: RunRecord,
  text: string,
): Promise<void> {
  if (worktree === null) return;
  const title = text.split("\n").find((line) => line.trim() !== "") ?? "";
  try {
    await worktree.commit({ agent, run: id, title: title.replace(/^[#>*\-\s]+/u, "") });
  } catch (error) {
    log.warn("the work of a run could not be committed", { run: id, error });
  }
}
