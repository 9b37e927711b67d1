import { z } from "zod";
import { memoryEntryView, tierView } from "../contract/personal-context.ts";
import { ok } from "../kernel/result.ts";
import { everyone } from "./access.ts";
import { query } from "./define.ts";
import { personalAgent } from "./personal-input.ts";
import { personalOwner } from "./personal-owner.ts";
import { toMemoryEntryView } from "./personal-view.ts";

export const searchMemory = query({
  name: "search-memory",
  summary: "Find the memories of an agent whose key or text holds every word of the query.",
  input: z.object({
    agent: personalAgent,
    query: z
      .string()
      .max(1000)
      .refine((text) => text.trim() !== "", "the query is empty"),
    tier: tierView.optional(),
    limit: z.int().min(1).max(500).default(20),
  }),
  output: z.object({ agent: z.string(), entries: z.array(memoryEntryView) }),
  access: everyone,

  async answer(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const found = await owner.value.context.memory.search(data.query);
    const wanted = data.tier === undefined ? found : found.filter(({ tier }) => tier === data.tier);
    return ok({ agent: owner.value.agent, entries: wanted.slice(0, data.limit).map(toMemoryEntryView) });
  },
});
