import * as contract from "../../contract/memory.ts";
import { PERSON } from "../../domain/message/message.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { shareNames } from "./named-agent.ts";
import { toMemoryEntryView } from "./view.ts";

/** Makes a memory trusted: a person has read it and becomes its source. */
export const promoteMemory = proposal(contract.promoteMemory, {
  access: persons,

  async prepare({ agent: named, key, tier, visibility, shareWith }, ctx) {
    const owner = await personalOwner(ctx, named);
    if (!owner.ok) return owner;
    if (tier === undefined && visibility === undefined && shareWith === undefined) {
      return refuse("invalid", `What should become of "${key}"?`, {
        hint: "Give a tier (--tier core), a visibility (--visibility shareable), or names (--share-with bob).",
      });
    }
    const { agent, context } = owner.value;
    const names = await shareNames(ctx, agent, shareWith);
    if (!names.ok) return names;
    const changes = {
      ...(tier === undefined ? {} : { tier }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(names.value === undefined ? {} : { sharedWith: names.value }),
    };
    const entry = await context.memory.adjust(key, { ...changes, source: PERSON });
    return entry.ok ? ok({ agent, entry: entry.value }) : entry;
  },

  async execute(_data, ctx, { agent, entry }) {
    await ctx.emit({ type: "memory.stored", agent, key: entry.key });
    return ok({ agent, entry: toMemoryEntryView(entry) });
  },
});
