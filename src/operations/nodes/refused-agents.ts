import { differenceOfFiles, refusalOfFiles } from "../../domain/node/placement.ts";
import type { OwnNode } from "../../ports/own-node.ts";

/** An agent that this node does not run, because its files are not those of the node that joined first. */
export interface RefusedAgent {
  readonly agent: string;
  readonly reason: string;
  readonly next: string;
}

/** By what this node last saw of the others. */
export function refusedAgents(node: OwnNode): RefusedAgent[] {
  if (node.alone) return [];
  const nodes = node.peers();
  const { instance, name } = node.facts();
  const own = nodes.find((each) => each.instance === instance);
  if (own === undefined) return [];
  const known = new Set(nodes.flatMap(({ definitions }) => Object.keys(definitions)));
  return [...known].toSorted().flatMap((agent) => {
    const found = differenceOfFiles(agent, own, nodes, node.seenAt());
    if (found === null) return [];
    const reason = `This node ("${name}") does not run ${agent}: ${refusalOfFiles(agent, found)}.`;
    const next = `Make the files the same, for instance with git pull here or on "${found.leader}", whose files count because it joined first.`;
    return [{ agent, reason, next }];
  });
}
