import * as contract from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { toMemoryEntryView } from "./view.ts";

export const getMemory = query(contract.getMemory, {
  access: everyone,

  async execute(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const entry = await owner.value.context.memory.get(data.key);
    return entry.ok ? ok({ agent: owner.value.agent, entry: toMemoryEntryView(entry.value) }) : entry;
  },
});
