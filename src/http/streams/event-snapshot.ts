import type { AgentView } from "../../contract/agent.ts";
import type { WorkspaceView } from "../../contract/workspace.ts";
import { person } from "../../kernel/caller.ts";
import { listAgents } from "../../operations/agents/list-agents.ts";
import { listWorkspaces } from "../../operations/workspaces/list-workspaces.ts";
import type { RunningProject } from "../../runtime/running-project.ts";

/**
 * What a client that begins to watch is told first: how things are. Whatever was recorded up to `seq` is in it; it may
 * hold more, never less.
 */
export interface EventSnapshot {
  readonly seq: number;
  readonly agents: readonly AgentView[];
  /** The open ones. */
  readonly workspaces: readonly WorkspaceView[];
  readonly counts: {
    readonly agents: number;
    readonly workspaces: number;
    /** Loops that execute a run right now. */
    readonly running: number;
    /** Deliveries that wait, and those that were given up. */
    readonly pending: number;
    readonly dead: number;
  };
}

export async function takeSnapshot(project: RunningProject, seq: number): Promise<EventSnapshot> {
  const agents = await project.system.query(person, listAgents, {});
  const workspaces = await project.system.query(person, listWorkspaces, { state: "open" });
  if (!agents.ok || !workspaces.ok) throw new Error("A person may always see what there is.");
  const { pending, dead } = await project.store.read((store) => store.deliveries.backlog());
  return {
    seq,
    agents: agents.value.agents,
    workspaces: workspaces.value.workspaces,
    counts: {
      agents: agents.value.agents.length,
      workspaces: workspaces.value.workspaces.length,
      running: project.runtime.loops.running,
      pending,
      dead,
    },
  };
}
