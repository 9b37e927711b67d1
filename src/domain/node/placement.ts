import type { AgentDefinition } from "../agent/definition.ts";
import { DEFAULT_ENGINE } from "../agent/engines.ts";
import { differingKeys } from "./definition-fingerprint.ts";
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

function objectionToFiles(key: string, node: PlacedNode, nodes: readonly PlacedNode[], time: number): string | null {
  const found = differenceOfFiles(key, node, nodes, time);
  return found === null ? null : refusalOfFiles(key, found);
}

/** What differs, in words. */
export function refusalOfFiles(key: string, { leader, keys }: FileDifference): string {
  if (keys === null) return `it has no definition of ${key}; the node "${leader}" has`;
  return `its definition of ${key} is not that of the node "${leader}": ${keys.join(", ")} differ${keys.length === 1 ? "s" : ""}`;
}

export interface FileDifference {
  /** The node whose files count. */
  readonly leader: string;
  /** The keys that differ; null when the definition is missing. */
  readonly keys: readonly string[] | null;
}

/**
 * The node that joined first, of those that are there and have the definition, says what it is. Returns the keys in which
 * the definition on another node differs, or null keys when that node has none; null when both are the same.
 */
export function differenceOfFiles(
  key: string,
  node: PlacedNode,
  nodes: readonly PlacedNode[],
  time: number,
): FileDifference | null {
  const leader = liveNodes(nodes, time).find(({ definitions }) => definitions[key] !== undefined);
  const right = leader?.definitions[key];
  if (leader === undefined || right === undefined || leader.instance === node.instance) return null;
  const own = node.definitions[key];
  if (own === right) return null;
  return { leader: leader.name, keys: own === undefined ? null : differingKeys(own, right) };
}

/** Where an agent may run now. */
export interface Placement {
  /** Names of the nodes that are there and may run it. */
  readonly nodes: readonly string[];
  /** Why the others may not. */
  readonly objections: readonly { readonly node: string; readonly reason: string }[];
  /** Names of the nodes that may run it and are not there. */
  readonly absent: readonly string[];
}

export function placeAgent(agent: PlacedAgent, nodes: readonly PlacedNode[], time: number): Placement {
  const judged = nodes.map((node) => {
    const objection = objectionToNode(agent, node, nodes, time);
    const isAbsent = objection === null && !isLive(node, time);
    return { node: node.name, reason: isAbsent ? absenceText(node) : objection, isAbsent };
  });
  return {
    nodes: judged.filter(({ reason }) => reason === null).map(({ node }) => node),
    objections: judged.flatMap(({ node, reason }) => (reason === null ? [] : [{ node, reason }])),
    absent: judged.filter(({ isAbsent }) => isAbsent).map(({ node }) => node),
  };
}

function absenceText({ beatAt, leftAt }: NodePresence): string {
  return `it is not there, ${leftAt === null ? "last heard of" : "stopped"} at ${new Date(leftAt ?? beatAt).toISOString()}`;
}

/** Says for people why an agent waits for a node, and what lets it go on. */
export function placementText(agent: string, runsOn: RunsOn | undefined, placement: Placement): string {
  const { objections } = placement;
  const named = runsOn?.node !== undefined && !objections.some(({ node }) => node === runsOn.node);
  const absent = named ? [`${runsOn.node}: no node of this name has joined`] : [];
  const reasons = [...absent, ...objections.map(({ node, reason }) => `${node}: ${reason}`)];
  const missing = named ? runsOn.node : placement.absent[0];
  const remedy =
    missing === undefined
      ? "It goes on when a node that may run it joins."
      : `It goes on when that node is there (agent-worker daemon start --node ${missing}).`;
  return `${agent} waits for a node that may run it. ${reasons.join("; ")}. ${remedy}`;
}
