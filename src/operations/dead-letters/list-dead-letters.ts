import * as contract from "../../contract/dead-letters.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { readDeliveries } from "../inbox/read-deliveries.ts";

export const listDeadLetters = query(contract.listDeadLetters, {
  access: persons,
  execute: (data, ctx) =>
    readDeliveries(
      ctx,
      data,
      (store, filter) => store.deliveries.dead(filter),
      (a, b) => b.message.createdAt - a.message.createdAt,
    ),
});
