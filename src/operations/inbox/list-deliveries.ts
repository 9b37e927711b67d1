import * as contract from "../../contract/inbox.ts";
import type { DeliveryWithMessage } from "../../ports/store/delivery.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { listedDeliveries } from "./listed-deliveries.ts";

/** The work of the whole team: what waits for whom, and what somebody is busy with. */
export const listDeliveries = query(contract.listDeliveries, {
  access: persons,
  answer: (data, ctx) => listedDeliveries(ctx, data, (store, wanted) => store.deliveries.open(wanted), busyFirst),
});

function busyFirst(a: DeliveryWithMessage, b: DeliveryWithMessage): number {
  return Number(b.delivery.state.status === "leased") - Number(a.delivery.state.status === "leased");
}
