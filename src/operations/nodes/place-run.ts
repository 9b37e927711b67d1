import type { AgentDefinition } from "../../domain/agent/definition.ts";
import {
  definitionKey,
  objectionToNode,
  placeAgent,
  placementText,
  type PlacedAgent,
  type Placement,
} from "../../domain/node/placement.ts";
import { splitTag } from "../../domain/workspace/sub-space.ts";
import { worktreeFolder } from "../../domain/worktree/worktree.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Execute, Services } from "../core/define.ts";
import { workflowOf } from "../runs/run-agent.ts";

/** Who is to run, and where. `definition` is undefined when this node has none. */
export interface PlaceableRun {
  readonly agent: string;
  readonly space: string;
  readonly definition: AgentDefinition | undefined;
}

/**
 * Returns why this node may not run the agent; null when it may. It asks what the node last saw of the others, so that it
 * costs nothing where there are none: what must hold is in the fence of the run.
 */
export async function objectionHere({ store, services }: Execute, run: PlaceableRun): Promise<string | null> {
  const { node } = services;
  if (node.alone && run.definition?.runsOn === undefined) return null;
  const { instance } = node.facts();
  const nodes = node.peers();
  const own = nodes.find((each) => each.instance === instance);
  if (own === undefined) return node.alone ? null : "this node has not joined";
  return objectionToNode(await toPlaced(store, run), own, nodes, node.seenAt());
}

/** Keeps an agent with a worktree on the node that has it, from its first run on. */
export async function pinWorktree(ctx: Execute, run: PlaceableRun): Promise<void> {
  const { node } = ctx.services;
  const place = node.alone ? null : await worktreePlace(ctx.store, run);
  if (place !== null) await ctx.store.nodes.pin(place, node.facts().name);
}

/** Returns where an agent may run now, and what people read when that is nowhere. */
export async function readPlacement(
  store: StoreReads,
  { node }: Pick<Services, "node">,
  run: PlaceableRun,
): Promise<Placement & { readonly problem: string | null }> {
  if (node.alone && run.definition?.runsOn === undefined)
    return { nodes: [], objections: [], absent: [], problem: null };
  const placement = placeAgent(await toPlaced(store, run), await store.nodes.list(), await store.time());
  const isPlaced = placement.nodes.length > 0;
  return { ...placement, problem: isPlaced ? null : placementText(run.agent, run.definition?.runsOn, placement) };
}

async function toPlaced(store: Pick<StoreReads, "nodes" | "workspaces">, run: PlaceableRun): Promise<PlacedAgent> {
  const place = await worktreePlace(store, run);
  return {
    key: definitionKey(run.agent, workflowOf(run.space)),
    definition: run.definition,
    worktreeNode: place === null ? null : ((await store.nodes.pinned(place)) ?? null),
  };
}

/** Names the worktree that the agent works in; null when it works in the project. */
async function worktreePlace(
  store: Pick<StoreReads, "workspaces">,
  { agent, space, definition }: PlaceableRun,
): Promise<string | null> {
  const worktree = definition?.worktree;
  if (worktree === undefined || worktree === false) return null;
  const workspace = await store.workspaces.byKey(space);
  if (workspace === undefined) return worktree.of === "workspace" ? null : worktreeFolder({ agent, workspace: null });
  const { workflow, tag } = workspace;
  return worktreeFolder({
    agent: worktree.of === "agent" ? agent : null,
    workspace: { workflow, tag: splitTag(tag).tag },
  });
}
