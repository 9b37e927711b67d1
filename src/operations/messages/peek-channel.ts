import * as contract from "../../contract/messages.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { earlierSpace } from "../core/earlier-space.ts";
import { checkKnown } from "../core/known-target.ts";
import { readChannelPage } from "./channel-page.ts";
import { toMessageView } from "./view.ts";

/** Changes nothing: deliveries stay in their inboxes. */
export const peekChannel = query(contract.peekChannel, {
  access: everyone,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const page = await ctx.read(async (store) => {
      const place = await earlierSpace(store, space.value, data.earlier, ctx.caller);
      return place.ok ? readChannelPage(store, place.value, data) : place;
    });
    if (!page.ok) return page;
    const { value: place } = space;
    // Who asks only for what is new waits for an agent that was there, and may have been deleted meanwhile.
    const isFirstLook = page.value.length === 0 && (data.since ?? 0) === 0;
    if (isFirstLook && place.kind === "dm" && ctx.caller.kind === "person") {
      const known = await checkKnown(ctx, place);
      if (!known.ok) return known;
    }
    return ok({ messages: page.value.map(toMessageView) });
  },
});
