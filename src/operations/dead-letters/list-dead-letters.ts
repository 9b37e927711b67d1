import * as contract from "../../contract/dead-letters.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { listedDeliveries } from "../inbox/listed-deliveries.ts";

/** What was given up after the last retry. It stays here until a person decides. */
export const listDeadLetters = query(contract.listDeadLetters, {
  access: persons,
  answer: (data, ctx) =>
    listedDeliveries(
      ctx,
      data,
      (store, wanted) => store.deliveries.dead(wanted),
      (a, b) => b.message.createdAt - a.message.createdAt,
    ),
});
