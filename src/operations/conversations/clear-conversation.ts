import * as contract from "../../contract/conversations.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const clearConversation = proposal(contract.clearConversation, {
  access: persons,

  async prepare(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { agent } = owner.value;
    const archived = await ctx.services.archiveConversation(agent);
    return archived.ok ? ok({ agent, archived: [...archived.value] }) : archived;
  },

  async execute(_data, ctx, { agent, archived }) {
    await ctx.store.conversations.setCleared(agent, ctx.now);
    await ctx.store.summaries.removeFrom(agent, 0);
    await ctx.emit({ type: "conversation.cleared", agent });
    return ok({ agent, archived });
  },
});
