import { z } from "zod";
import { messageView } from "../../contract/message.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { channelPage, readPage } from "./channel-page.ts";
import { query } from "../core/define.ts";
import { toMessageView } from "./view.ts";

/** Looks and changes nothing: what is in somebody's inbox stays there. */
export const peekChannel = query({
  name: "peek-channel",
  summary: "Look at the messages of a channel, or the direct messages of an agent, without taking any as read.",
  input: channelPage,
  output: z.object({ messages: z.array(messageView) }),
  access: everyone,

  async answer(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const page = await ctx.read((store) => readPage(store, space.value, data));
    return page.ok ? ok({ messages: page.value.map(toMessageView) }) : page;
  },
});
