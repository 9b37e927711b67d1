import { z } from "zod";
import { isLive } from "../../domain/node/node.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { recoverOrphans } from "./recover-orphans.ts";

/**
 * Says that this node is there, sees who else is, and takes over the runs of nodes that are gone. Refused when the node
 * lost its place: another one has its name.
 */
export const beatNode = proposal(
  {
    name: "beat-node",
    summary: "Say that a node is there, and take over what nodes that are gone were working on.",
    input: z.object({
      /** Nodes whose connection is gone. One that has beaten since is there. */
      vanished: z.array(z.object({ instance: z.string(), beatAt: z.number() })).default([]),
    }),
    output: z.object({ runs: z.int(), buried: z.int() }),
  },
  {
    access: systemOnly,

    async execute({ vanished }, ctx) {
      const { node } = ctx.services;
      const facts = node.facts();
      const time = await ctx.store.time();
      if (!(await ctx.store.nodes.beat(facts.instance, time))) {
        return refuse("lease_lost", `The node "${facts.name}" has lost its place: another one has its name now.`, {
          hint: "Start it again under another name: agent-worker daemon start --node NAME",
        });
      }
      const own = await ctx.store.nodes.byInstance(facts.instance);
      // What it can run may have changed: its definitions follow its files.
      if (own !== undefined && (!isSame(own.definitions, facts.definitions) || own.leaseMs !== node.leaseMs))
        await ctx.store.nodes.put({ ...own, ...facts, leaseMs: node.leaseMs });
      await endLeases(ctx, vanished, time);
      node.see(await ctx.store.nodes.list(), time);
      return ok(await recoverOrphans(ctx, facts.instance));
    },
  },
);

/** A process that has ended renews nothing: its runs are free at once. If it lives, its next beat gives it a lease again. */
async function endLeases(
  { store }: Execute,
  vanished: readonly { readonly instance: string; readonly beatAt: number }[],
  time: number,
): Promise<void> {
  if (vanished.length === 0) return;
  for (const node of await store.nodes.list()) {
    const isGone = vanished.some(({ instance, beatAt }) => instance === node.instance && beatAt === node.beatAt);
    if (isGone && isLive(node, time)) await store.nodes.put({ ...node, leaseMs: 0 });
  }
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
