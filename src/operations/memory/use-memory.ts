import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** Records that memories were recalled, so that those in use are not archived. */
export const useMemory = proposal(
  {
    name: "use-memory",
    summary: "Take down that memories of an agent were recalled.",
    input: z.object({ agent: z.string(), entries: z.array(z.string()) }),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute({ agent, entries }, ctx) {
      for (const entry of entries) await ctx.store.memories.markUsed(agent, entry, ctx.now);
      return ok({});
    },
  },
);
