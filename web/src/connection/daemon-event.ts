import type { AgentView } from "../../../src/contract/agents.ts";
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
export type Live = { readonly run: string; readonly space: string; readonly agent: string } & (
  | { readonly type: "step"; readonly number: number }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool-call"; readonly id: string; readonly tool: string; readonly args: unknown }
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly tool: string;
      readonly content: string;
      readonly isError: boolean;
    }
);
