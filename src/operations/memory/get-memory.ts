import { z } from "zod";
import { memoryEntryView } from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalAgent } from "../core/personal-input.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { toMemoryEntryView } from "./view.ts";

export const getMemory = query({
  name: "get-memory",
  summary: "Get one memory of an agent by its key or id.",
  input: z.object({ agent: personalAgent, key: z.string().min(1).describe("Key or id of the memory.") }),
  output: z.object({ agent: z.string(), entry: memoryEntryView }),
  access: everyone,

  async answer(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const entry = await owner.value.context.memory.get(data.key);
    return entry.ok ? ok({ agent: owner.value.agent, entry: toMemoryEntryView(entry.value) }) : entry;
  },
});
