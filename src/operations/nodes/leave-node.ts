import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** Says that this node has stopped: others need not wait for its lease to end. Its runs are put aside before. */
export const leaveNode = proposal(
  {
    name: "leave-node",
    summary: "Say that a node has stopped.",
    input: z.object({}),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute(_data, ctx) {
      await ctx.store.nodes.leave(ctx.services.node.facts().instance, await ctx.store.time());
      return ok({});
    },
  },
);
