import * as contract from "../../contract/conversations.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const readConversation = query(contract.readConversation, {
  access: everyone,

  async execute(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { conversations } = owner.value.context;
    const entries = await (data.day === undefined ? conversations.recent(data.limit) : conversations.read(data.day));
    return entries.ok ? ok({ agent: owner.value.agent, entries: entries.value.slice(-data.limit) }) : entries;
  },
});
