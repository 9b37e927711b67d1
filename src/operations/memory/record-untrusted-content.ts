import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** Records that an agent has read untrusted content in a space: see `guard/provenance/provenance.ts`. */
export const recordUntrustedContent = proposal(
  {
    name: "record-untrusted-content",
    summary: "Record that an agent has read untrusted content in a space.",
    input: z.object({ agent: z.string(), space: z.string() }),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute({ agent, space }, ctx) {
      await ctx.store.memories.markSeenUntrusted(agent, space, ctx.now);
      return ok({});
    },
  },
);
