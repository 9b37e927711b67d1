import * as contract from "../../contract/grants.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import { ok } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { toGrantView } from "./view.ts";

export const listGrants = query(contract.listGrants, {
  access: everyone,

  async execute({ target }, ctx) {
    const { caller, services } = ctx;
    if (target === undefined && caller.kind !== "agent") {
      const agents = services.definitions.agents().map(({ name }) => name);
      const grants = await ctx.read(async (store) => {
        const open = (await store.workspaces.list({ state: "open" })).map(({ key }) => key);
        return heldIn(store, [...open, ...agents]);
      });
      return ok({ grants });
    }
    const space = callerSpace(target, caller);
    if (!space.ok) return space;
    const grants = await ctx.read((store) => heldIn(store, [workspaceOf(formatSpace(space.value))]));
    const named = target === undefined ? undefined : parseTarget(target);
    const agent = named?.ok === true && named.value.kind === "agent" ? named.value.agent : undefined;
    return ok({ grants: agent === undefined ? grants : grants.filter((each) => each.agent === agent) });
  },
});

async function heldIn(store: StoreReads, spaces: readonly string[]): Promise<contract.GrantView[]> {
  const found: contract.GrantView[] = [];
  for (const space of spaces) {
    for (const held of await store.grants.inSpace(space)) found.push(toGrantView(space, held));
  }
  return found;
}
