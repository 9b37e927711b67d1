import * as contract from "../../contract/messages.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { callerSpace, spaceKey } from "../core/caller-space.ts";
import { readPage } from "./channel-page.ts";
import { query } from "../core/define.ts";
import { toMessageView } from "./view.ts";

/** Looks and changes nothing: what is in somebody's inbox stays there. */
export const peekChannel = query(contract.peekChannel, {
  access: everyone,
  space: (data, caller) => spaceKey(data.target, caller),

  async answer(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const page = await ctx.read((store) => readPage(store, space.value, data));
    return page.ok ? ok({ messages: page.value.map(toMessageView) }) : page;
  },
});
