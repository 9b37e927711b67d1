import * as contract from "../../contract/messages.ts";
import { ok } from "../../kernel/result.ts";
import { findAgent } from "../agents/find-agent.ts";
import { everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { readChannelPage } from "./channel-page.ts";
import { toMessageView } from "./view.ts";

/** Changes nothing: deliveries stay in their inboxes. */
export const peekChannel = query(contract.peekChannel, {
  access: everyone,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const page = await ctx.read((store) => readChannelPage(store, space.value, data));
    if (!page.ok) return page;
    // Who asks only for what is new waits for an agent that was there, and may have been deleted meanwhile.
    if (space.value.kind === "dm" && page.value.length === 0 && data.since === undefined) {
      const found = await findAgent(ctx.services.definitions, space.value.agent);
      if (!found.ok) return found;
    }
    return ok({ messages: page.value.map(toMessageView) });
  },
});
