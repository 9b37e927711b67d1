import type { z } from "zod";
import type { deliveryListInput, DeliveryView } from "../../contract/inbox.ts";
import { formatSpace } from "../../domain/message/space.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DeliveryWithMessage } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { callerSpace } from "../core/caller-space.ts";
import type { Read } from "../core/define.ts";
import { toDeliveryView } from "./view.ts";

export async function readDeliveries(
  ctx: Read,
  { target, limit }: z.output<typeof deliveryListInput>,
  find: (
    store: StoreReads,
    query: { readonly space?: string; readonly limit: number },
  ) => Promise<DeliveryWithMessage[]>,
  order: (a: DeliveryWithMessage, b: DeliveryWithMessage) => number,
): Promise<Result<{ deliveries: DeliveryView[] }, Refusal>> {
  const space = target === undefined ? undefined : callerSpace(target, ctx.caller);
  if (space?.ok === false) return space;
  const place = space === undefined ? {} : { space: formatSpace(space.value) };
  const deliveries = await ctx.read((store) => find(store, { ...place, limit }));
  return ok({ deliveries: deliveries.toSorted(order).map(toDeliveryView) });
}
