import { z } from "zod";
import { deliveryView } from "../contract/message.ts";
import { formatSpace } from "../domain/message/space.ts";
import { ok } from "../kernel/result.ts";
import { persons } from "./access.ts";
import { callerSpace } from "./caller-space.ts";
import { query } from "./define.ts";
import { toDeliveryView } from "./message-view.ts";

/** The work of the whole team: what waits for whom, and what somebody is busy with. */
export const listDeliveries = query({
  name: "list-deliveries",
  summary: "List the open deliveries of all agents, in one space or in all: what is being worked on, then what waits.",
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
    const found = await ctx.readEverywhere((store) => store.deliveries.open({ ...place, limit: data.limit }));
    const busyFirst = found.flat().toSorted((a, b) => Number(isLeased(b)) - Number(isLeased(a)));
    return ok({ deliveries: busyFirst.slice(0, data.limit).map(toDeliveryView) });
  },
});

function isLeased({ delivery }: { readonly delivery: { readonly state: { readonly status: string } } }): boolean {
  return delivery.state.status === "leased";
}
