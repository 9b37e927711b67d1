import * as contract from "../../contract/spaces/grants.ts";
import type { HeldGrant } from "../../domain/grant/grant.ts";
import { grantsAfter } from "../../domain/grant/held-grants.ts";
import { isAboutRights } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import { ok } from "../../kernel/result.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { toGrantView } from "./view.ts";

export const listGrants = query(contract.listGrants, {
  access: everyone,

  async execute({ target, at }, ctx) {
    const { caller, services } = ctx;
    if (target === undefined && caller.kind !== "agent") {
      const agents = services.definitions.agents().map(({ name }) => name);
      const grants = await ctx.read(async (store) => {
        const open = (await store.workspaces.list({ state: "open" })).map(({ key }) => key);
        const found: contract.GrantView[] = [];
        for (const space of [...open, ...agents])
          for (const held of await store.grants.inSpace(space)) found.push(toGrantView(space, held));
        return found;
      });
      return ok({ grants });
    }
    const place = callerSpace(target, caller);
    if (!place.ok) return place;
    const space = workspaceOf(formatSpace(place.value));
    const held = await ctx.read((store) => (at === undefined ? store.grants.inSpace(space) : heldAt(store, space, at)));
    const named = target === undefined ? undefined : parseTarget(target);
    const agent = named?.ok === true && named.value.kind === "agent" ? named.value.agent : undefined;
    const shown = agent === undefined ? held : held.filter((each) => each.agent === agent);
    return ok({ grants: shown.map((each) => toGrantView(space, each)) });
  },
});

const PAGE = 500;

/** Reads what was held after a message from the messages themselves. */
async function heldAt(store: StoreReads, space: string, at: number): Promise<readonly HeldGrant[]> {
  const aboutRights: MessageRecord[] = [];
  for (let after = 0; ;) {
    const page = await store.messages.page({ space, after, before: at + 1, limit: PAGE });
    aboutRights.push(...page.filter(({ kind }) => isAboutRights(kind)));
    if (page.length < PAGE) return grantsAfter(aboutRights);
    after = page.at(-1)?.seq ?? at;
  }
}
