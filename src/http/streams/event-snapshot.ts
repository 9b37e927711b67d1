import type { AgentView } from "../../contract/agents.ts";
import type { WorkspaceView } from "../../contract/workspaces.ts";
import { person } from "../../kernel/caller.ts";
import { listAgents } from "../../operations/agents/list-agents.ts";
import { readUnfinishedRuns } from "../../operations/runs/waiting-runs.ts";
import { listWorkspaces } from "../../operations/workspaces/list-workspaces.ts";
import type { RunningProject } from "../../runtime/running-project.ts";

/** The state that a client gets first. It contains everything recorded up to `seq`, perhaps more, never less. */
export interface EventSnapshot {
  readonly seq: number;
  readonly agents: readonly AgentView[];
  /** The open ones. */
  readonly workspaces: readonly WorkspaceView[];
  readonly counts: {
    readonly agents: number;
    readonly workspaces: number;
    /** Runs that are executed now. */
    readonly running: number;
    /** Pending deliveries, and dead ones. */
    readonly pending: number;
    readonly dead: number;
  };
}

export async function takeSnapshot(project: RunningProject, seq: number): Promise<EventSnapshot> {
  const agents = await project.system.query(person, listAgents, {});
  const workspaces = await project.system.query(person, listWorkspaces, { state: "open" });
  if (!agents.ok || !workspaces.ok) throw new Error("A person may always see what there is.");
  const { pending, dead, running } = await project.store.read(async (store) => ({
    ...(await store.deliveries.backlog()),
    running: (await readUnfinishedRuns(store)).running.length,
  }));
  return {
    seq,
    agents: agents.value.agents,
    workspaces: workspaces.value.workspaces,
    counts: {
      agents: agents.value.agents.length,
      workspaces: workspaces.value.workspaces.length,
      running: project.atRest ? 0 : running,
      pending,
      dead,
    },
  };
}
