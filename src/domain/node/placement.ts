import type { AgentDefinition } from "../agent/definition.ts";
import { DEFAULT_ENGINE } from "../agent/engines.ts";
import { isLive, liveNodes, type NodeFacts, type NodePresence } from "./node.ts";
import type { RunsOn } from "./runs-on.ts";

export type PlacedNode = NodeFacts & NodePresence;

/** What decides where an agent may run. */
export interface PlacedAgent {
  /** `definitionKey` of the agent where it is to run. */
  readonly key: string;
  readonly definition: Pick<AgentDefinition, "runsOn" | "backend"> | undefined;
  /** The node that has the worktree of the agent; null when there is none yet. */
  readonly worktreeNode: string | null;
}

/** Names a definition among those of a node: `alice`, or `alice@review` for a member of a workflow. */
export function definitionKey(agent: string, workflow: string | null): string {
  return workflow === null ? agent : `${agent}@${workflow}`;
}

/** Returns why an agent may not run on a node, in words; null when it may. Whether the node is there does not matter. */
export function objectionToNode(
  { key, definition, worktreeNode }: PlacedAgent,
  node: PlacedNode,
  nodes: readonly PlacedNode[],
  time: number,
): string | null {
  const { runsOn = {}, backend = DEFAULT_ENGINE } = definition ?? {};
  if (runsOn.node !== undefined && runsOn.node !== node.name) return `runs_on names the node "${runsOn.node}"`;
  const missing = (runsOn.labels ?? []).filter((label) => !node.labels.includes(label));
  if (missing.length > 0) return `it has no label ${missing.map((label) => `"${label}"`).join(", ")}`;
  const engine = [backend, ...(runsOn.engine === undefined ? [] : [runsOn.engine])].find(
    (name) => !node.engines.includes(name),
  );
  if (engine !== undefined) return `it does not have the engine "${engine}"`;
  if (worktreeNode !== null && worktreeNode !== node.name) return `the worktree is on the node "${worktreeNode}"`;
  return objectionToFiles(key, node, nodes, time);
}

/** The node that joined first, of those that are there and have the definition, says what it is. */
export function objectionToFiles(
  key: string,
  node: PlacedNode,
  nodes: readonly PlacedNode[],
  time: number,
): string | null {
  const leader = liveNodes(nodes, time).find(({ definitions }) => definitions[key] !== undefined);
  if (leader === undefined || leader.instance === node.instance) return null;
  const own = node.definitions[key];
  if (own === undefined) return `it has no definition of ${key}; the node "${leader.name}" has`;
  if (own === leader.definitions[key]) return null;
  return `its definition of ${key} (${own}) is not that of the node "${leader.name}" (${leader.definitions[key]})`;
}

/** Where an agent may run now. */
export interface Placement {
  /** Names of the nodes that are there and may run it. */
  readonly nodes: readonly string[];
  /** Why the others may not. */
  readonly objections: readonly { readonly node: string; readonly reason: string }[];
}

export function placeAgent(agent: PlacedAgent, nodes: readonly PlacedNode[], time: number): Placement {
  const judged = nodes.map((node) => {
    const objection = objectionToNode(agent, node, nodes, time);
    return { node: node.name, reason: objection ?? (isLive(node, time) ? null : "it is not there") };
  });
  return {
    nodes: judged.filter(({ reason }) => reason === null).map(({ node }) => node),
    objections: judged.flatMap(({ node, reason }) => (reason === null ? [] : [{ node, reason }])),
  };
}

/** Says for people why an agent waits for a node. */
export function placementText(agent: string, runsOn: RunsOn | undefined, { objections }: Placement): string {
  const named = runsOn?.node !== undefined && !objections.some(({ node }) => node === runsOn.node);
  const absent = named ? [`${runsOn.node}: no node of this name has joined`] : [];
  const reasons = [...absent, ...objections.map(({ node, reason }) => `${node}: ${reason}`)];
  return `${agent} waits for a node that may run it. ${reasons.join("; ")}.`;
}
