import type { EngineName } from "../agent/engines.ts";

/** What a node says about itself. A node is one daemon that works for a project. */
export interface NodeFacts {
  /** Unique among the nodes that are there. */
  readonly name: string;
  /** Id of this start of the node: the lease owner of its runs. */
  readonly instance: string;
  /** Identifies the home of the daemon, which one process locks: the earlier node of the same home has ended. */
  readonly machine: string;
  readonly labels: readonly string[];
  /** Engines that can execute steps there. */
  readonly engines: readonly EngineName[];
  /** How many runs it executes at once at most; null for no limit. */
  readonly capacity: number | null;
  readonly version: string;
  /**
   * Fingerprints (`joinFingerprint`) of the definitions that it has, by agent: `alice`, or `alice@review` for a member of a workflow. Empty
   * where no other node can have others.
   */
  readonly definitions: Readonly<Record<string, string>>;
}

/** When a node was there, in the time of the store. */
export interface NodePresence {
  readonly startedAt: number;
  readonly beatAt: number;
  /** So long after its last beat it counts as gone, and others take over its runs. */
  readonly leaseMs: number;
  /** When it stopped properly. Null while it works, and when it was cut off. */
  readonly leftAt: number | null;
}

/** `away`: it did not stop, and has not been heard of for longer than its lease. */
export type NodeState = "live" | "away" | "left";

export function nodeState({ beatAt, leaseMs, leftAt }: NodePresence, time: number): NodeState {
  if (leftAt !== null) return "left";
  return time > beatAt + leaseMs ? "away" : "live";
}

export function isLive(node: NodePresence, time: number): boolean {
  return nodeState(node, time) === "live";
}

/** Returns the nodes that are there, the one that joined first at the beginning. It does what one node does for all. */
export function liveNodes<Node extends NodePresence & Pick<NodeFacts, "instance">>(
  nodes: readonly Node[],
  time: number,
): Node[] {
  return nodes
    .filter((node) => isLive(node, time))
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.instance < b.instance ? -1 : 1));
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/i;

/** Names of nodes and labels are typed in files and commands. */
export function isNodeName(name: string): boolean {
  return NAME.test(name);
}
