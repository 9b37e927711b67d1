import type { DeliveryWithMessage } from "../../ports/store/delivery.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { deliveryListInput, deliveryListOutput, listedDeliveries } from "./listed-deliveries.ts";

/** The work of the whole team: what waits for whom, and what somebody is busy with. */
export const listDeliveries = query({
  name: "list-deliveries",
  summary: "List the open deliveries of all agents, in one space or in all: what is being worked on, then what waits.",
  input: deliveryListInput,
  output: deliveryListOutput,
  access: persons,
  answer: (data, ctx) => listedDeliveries(ctx, data, (store, wanted) => store.deliveries.open(wanted), busyFirst),
});

function busyFirst(a: DeliveryWithMessage, b: DeliveryWithMessage): number {
  return Number(b.delivery.state.status === "leased") - Number(a.delivery.state.status === "leased");
}
