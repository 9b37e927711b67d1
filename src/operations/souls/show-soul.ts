import * as contract from "../../contract/souls.ts";
import { editsByHand, lastVersion } from "../../domain/soul/soul-history.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { currentSoul } from "./current-soul.ts";
import { toSoulChangeView } from "./view.ts";

export const showSoul = query(contract.showSoul, {
  access: persons,

  async execute({ agent }, ctx) {
    await ctx.services.definitions.refresh();
    const owner = await personalOwner(ctx, agent);
    if (!owner.ok) return owner;
    await owner.value.context.soul.refresh();
    const current = currentSoul(ctx.services, agent);
    if (!current.ok) return current;
    const { soul, baseline, state, problem } = current.value;
    const { add, remove, replace } = state.learned;
    return ok({
      agent,
      soul: { ...soul },
      baseline: { ...baseline },
      learned: { add: toLists(add), remove: toLists(remove), replace: { ...replace } },
      version: lastVersion(state),
      edited: editsByHand(state).map(toSoulChangeView),
      problem,
      open: await ctx.read((store) => store.soulProposals.countOpen(agent)),
    });
  },
});

function toLists(lists: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).map(([trait, items]) => [trait, [...items]]));
}
