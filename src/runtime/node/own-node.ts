import { DEFAULT_LEASE_MS } from "../../domain/node/lease.ts";
import { liveNodes, type NodeFacts } from "../../domain/node/node.ts";
import type { OwnNode } from "../../ports/own-node.ts";
import type { NodeRecord } from "../../ports/store/cluster/node.ts";

/** `alone` and `leaseMs`: see the port. Whoever joins and beats tells it what the store says. */
export function createOwnNode(
  facts: () => NodeFacts,
  options: { readonly alone: boolean; readonly leaseMs?: number },
): OwnNode {
  const { alone, leaseMs = DEFAULT_LEASE_MS } = options;
  let peers: readonly NodeRecord[] = [];
  let seenAt = 0;
  let problem: string | null = null;
  return {
    facts,
    alone,
    leaseMs,
    peers: () => peers,
    seenAt: () => seenAt,
    isLead: () => alone || liveNodes(peers, seenAt)[0]?.instance === facts().instance,
    problem: () => problem,
    say: (text) => void (problem = text),
    see(nodes, time) {
      peers = nodes;
      seenAt = time;
    },
  };
}
