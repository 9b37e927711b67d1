import * as contract from "../../contract/inbox.ts";
import type { DeliveryWithMessage } from "../../ports/store/delivery.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { readDeliveries } from "./read-deliveries.ts";

export const listDeliveries = query(contract.listDeliveries, {
  access: persons,
  execute: (data, ctx) => readDeliveries(ctx, data, (store, filter) => store.deliveries.open(filter), leasedFirst),
});

function leasedFirst(a: DeliveryWithMessage, b: DeliveryWithMessage): number {
  return Number(b.delivery.state.status === "leased") - Number(a.delivery.state.status === "leased");
}
