import { z } from "zod";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { recoverOrphans } from "./recover-orphans.ts";

/**
 * Says that this node is there, sees who else is, and takes over the runs of nodes that are gone. Refused when the node
 * lost its place: another one has its name.
 */
export const beatNode = proposal(
  {
    name: "beat-node",
    summary: "Say that a node is there, and take over what nodes that are gone were working on.",
    input: z.object({}),
    output: z.object({ runs: z.int(), buried: z.int() }),
  },
  {
    access: systemOnly,

    async execute(_data, ctx) {
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
      if (own !== undefined && !isSame(own.definitions, facts.definitions))
        await ctx.store.nodes.put({ ...own, ...facts });
      node.see(await ctx.store.nodes.list(), time);
      return ok(await recoverOrphans(ctx, facts.instance));
    },
  },
);

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
