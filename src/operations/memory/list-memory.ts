import * as contract from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { toMemoryEntryView } from "./view.ts";

export const listMemory = query(contract.listMemory, {
  access: everyone,

  async execute(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { entries, problems } = await owner.value.context.memory.list();
    const chosen = data.tier === undefined ? entries : entries.filter(({ tier }) => tier === data.tier);
    return ok({ agent: owner.value.agent, entries: chosen.map(toMemoryEntryView), problems: [...problems] });
  },
});
