import * as contract from "../../contract/memory.ts";
import { archiveBefore, chooseArchived, NEWEST_DAYS } from "../../guard/memory/archiving.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

/** Moves old, unused memories to the archive, where recall finds them and prompts do not. Runs every day. */
export const archiveMemory = proposal(contract.archiveMemory, {
  access: persons,

  async prepare({ agent: named }, ctx) {
    const owner = await personalOwner(ctx, named);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    const settings = ctx.services.definitions.agent(agent)?.memory ?? {};
    if (settings.archive === false) return ok({ agent, entries: [], conversations: [] });
    const { entries } = await context.memory.list();
    const uses = await ctx.read((store) => store.memories.uses(agent));
    const archived: string[] = [];
    for (const { id, key } of chooseArchived(entries, uses, settings, ctx.now)) {
      const moved = await context.memory.adjust(id ?? key, { tier: "archive" });
      if (!moved.ok) return moved;
      archived.push(key);
    }
    const files = await context.conversations.archive({ than: archiveBefore(ctx.now), keep: NEWEST_DAYS });
    return files.ok ? ok({ agent, entries: archived, conversations: [...files.value] }) : files;
  },

  async execute(_data, ctx, { agent, entries, conversations }) {
    for (const key of entries) await ctx.emit({ type: "memory.archived", agent, key });
    return ok({ agent, entries, conversations });
  },
});
