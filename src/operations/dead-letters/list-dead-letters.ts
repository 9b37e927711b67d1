import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { deliveryListInput, deliveryListOutput, listedDeliveries } from "../inbox/listed-deliveries.ts";

/** What was given up after the last retry. It stays here until a person decides. */
export const listDeadLetters = query({
  name: "list-dead-letters",
  summary: "List the deliveries that were given up, newest first, with the message, the attempts and the last error.",
  input: deliveryListInput,
  output: deliveryListOutput,
  access: persons,
  answer: (data, ctx) => listedDeliveries(ctx, data, (store, wanted) => store.deliveries.dead(wanted)),
});
