import * as contract from "../../contract/cluster/nodes.ts";
import type { NodeView } from "../../contract/cluster/nodes.ts";
import { liveNodes, nodeState } from "../../domain/node/node.ts";
import { differenceOfFiles } from "../../domain/node/placement.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const listNodes = query(contract.listNodes, {
  access: persons,

  async execute(_data, ctx) {
    const { instance } = ctx.services.node.facts();
    const { nodes, time, runs } = await ctx.read(async (store) => ({
      nodes: await store.nodes.list(),
      time: await store.time(),
      runs: (await store.runs.unfinished()).filter(({ state }) => state === "open"),
    }));
    const [lead] = liveNodes(nodes, time);
    return ok({
      nodes: nodes.map((node): NodeView => ({
        name: node.name,
        state: nodeState(node, time),
        self: node.instance === instance,
        lead: node.instance === lead?.instance,
        startedAt: new Date(node.startedAt).toISOString(),
        lastBeat: new Date(node.beatAt).toISOString(),
        leaseMs: node.leaseMs,
        labels: [...node.labels],
        engines: [...node.engines],
        capacity: node.capacity,
        running: runs.filter(({ leaseOwner }) => leaseOwner === node.instance).map(({ mailbox }) => mailbox),
        version: node.version,
        differs: Object.keys(node.definitions).flatMap((agent) => {
          const keys = differenceOfFiles(agent, node, nodes, time)?.keys ?? null;
          return keys === null ? [] : [{ agent, keys: [...keys] }];
        }),
      })),
    });
  },
});
