import * as contract from "../../contract/memory.ts";
import { archiveBefore, chooseArchived, NEWEST_DAYS } from "../../guard/memory/archiving.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

/** Moves old, unused memories to the archive: they are in prompts that are about them, and recall finds them. Runs every day. */
export const archiveMemory = proposal(contract.archiveMemory, {
  access: persons,

  async prepare({ agent: named, limit = Number.POSITIVE_INFINITY }, ctx) {
    const owner = await personalOwner(ctx, named);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    const settings = ctx.services.definitions.agent(agent)?.memory ?? {};
    if (settings.archive === false) return ok({ agent, entries: [], left: 0, conversations: [] });
    const { entries } = await context.memory.list();
    const uses = await ctx.read((store) => store.memories.uses(agent));
    const chosen = chooseArchived(entries, uses, settings, ctx.now);
    const moved = await context.memory.adjustAll(chosen.slice(0, limit), { tier: "archive" });
    if (!moved.ok) return moved;
    const archived = moved.value.map(({ key }) => key);
    const left = Math.max(0, chosen.length - limit);
    if (left > 0) return ok({ agent, entries: archived, left, conversations: [] });
    const files = await context.conversations.archive({ than: archiveBefore(ctx.now), keep: NEWEST_DAYS });
    return files.ok ? ok({ agent, entries: archived, left, conversations: [...files.value] }) : files;
  },

  async execute(_data, ctx, { agent, entries, left, conversations }) {
    for (const key of entries) await ctx.emit({ type: "memory.archived", agent, key });
    return ok({ agent, entries, left, conversations });
  },
});
