import type { NodeFacts, NodePresence } from "../../../domain/node/node.ts";

export type NodeRecord = NodeFacts & NodePresence;

export interface NodeReads {
  /** All that joined and were not removed, by name. */
  list(): Promise<NodeRecord[]>;
  byInstance(instance: string): Promise<NodeRecord | undefined>;
  /** The name of the node that has this worktree; undefined when no run has used it yet. */
  pinned(worktree: string): Promise<string | undefined>;
}

export interface NodeWrites {
  /** Adds a node. An earlier one of the same name is gone with it. */
  put(node: NodeRecord): Promise<void>;
  /** Says that the node is there. Returns false when it was replaced or removed: it has lost its place. */
  beat(instance: string, at: number): Promise<boolean>;
  leave(instance: string, at: number): Promise<void>;
  remove(name: string): Promise<void>;
  pin(worktree: string, node: string): Promise<void>;
}
