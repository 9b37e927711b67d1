import * as contract from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { memoryPermit } from "./memory-permit.ts";
import { toMemoryEntryView } from "./view.ts";

export const forgetMemory = proposal(contract.forgetMemory, {
  access: everyone,

  async prepare(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    const effect = ctx.fileEffect((entry: MemoryEntry) => ({ agent, entry }));
    const forgotten = await context.memory.delete(data.key, { permit: memoryPermit(ctx.caller), effect });
    return forgotten.ok ? ok({ agent, entry: forgotten.value }) : forgotten;
  },

  async execute(_data, ctx, { agent, entry }) {
    await ctx.emit({ type: "memory.forgotten", agent, key: entry.key });
    return ok({ agent, entry: toMemoryEntryView(entry) });
  },
});
