import { z } from "zod";
import { deliveryView } from "../contract/message.ts";
import { formatSpace } from "../domain/message/space.ts";
import { ok } from "../kernel/result.ts";
import { persons } from "./access.ts";
import { callerSpace } from "./caller-space.ts";
import { query } from "./define.ts";
import { toDeliveryView } from "./message-view.ts";

/** What was given up after the last retry. It stays here until a person decides. */
export const listDeadLetters = query({
  name: "list-dead-letters",
  summary: "List the deliveries that were given up, newest first, with the message, the attempts and the last error.",
  input: z.object({
    target: z.string().optional().describe("@review, or an agent for its direct messages; absent: everywhere."),
    limit: z.int().min(1).max(500).default(50),
  }),
  output: z.object({ deliveries: z.array(deliveryView) }),
  access: persons,

  async answer(data, ctx) {
    const space = data.target === undefined ? undefined : callerSpace(data.target, ctx.caller);
    if (space?.ok === false) return space;
    const place = space === undefined ? {} : { space: formatSpace(space.value) };
    const found = await ctx.readEverywhere((store) => store.deliveries.dead({ ...place, limit: data.limit }));
    const newestFirst = found.flat().toSorted((a, b) => b.message.createdAt - a.message.createdAt);
    return ok({ deliveries: newestFirst.slice(0, data.limit).map(toDeliveryView) });
  },
});
