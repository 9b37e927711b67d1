import * as contract from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
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
    const forgotten = await context.memory.delete(data.key, memoryPermit(ctx.caller));
    return forgotten.ok ? ok({ agent, entry: forgotten.value }) : forgotten;
  },

  async execute(_data, ctx, { agent, entry }) {
    await ctx.emit({ type: "memory.forgotten", agent, key: entry.key });
    return ok({ agent, entry: toMemoryEntryView(entry) });
  },
});
