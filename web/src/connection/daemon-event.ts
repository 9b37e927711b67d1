import type { AgentView } from "../../../src/contract/agents.ts";
import type { LiveEventView } from "../../../src/contract/service/live-event.ts";
import type { WorkspaceView } from "../../../src/contract/workspaces.ts";

/** The current state, at the beginning of every connection. */
export interface Snapshot {
  readonly agents: readonly AgentView[];
  readonly workspaces: readonly WorkspaceView[];
}

/** An event that the daemon has recorded. Its fields depend on its type. */
export interface Recorded {
  readonly seq: number;
  readonly type: string;
  readonly space?: string;
  readonly agent?: string;
  readonly run?: string;
}

/** Progress inside a running step. */
export type Live = LiveEventView;
