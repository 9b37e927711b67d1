import type { NodeFacts } from "../domain/node/node.ts";
import type { NodeRecord } from "./store/cluster/node.ts";

/** The node that this process is in a project, and what it last heard of the others. */
export interface OwnNode {
  /** As they are now: definitions can change. */
  facts(): NodeFacts;
  /** Nobody else can have the store open: there are no other nodes, and nothing has to be asked or told. */
  readonly alone: boolean;
  /** So long after its last beat others take over its runs. */
  readonly leaseMs: number;
  /** All nodes as this one last saw them, itself included; only itself before it joined. */
  peers(): readonly NodeRecord[];
  /** The time of the store when it saw them. */
  seenAt(): number;
  /** Whether it does what one node does for all: schedules, rules, old data. */
  isLead(): boolean;
  /** Why it does nothing: it lost its place, or cannot reach the store. Null while it works. */
  problem(): string | null;
  /** Whoever beats tells it what its problem is; null when it has none any more. */
  say(problem: string | null): void;
  /** Called with what the store said at a beat. */
  see(nodes: readonly NodeRecord[], time: number): void;
}
