import * as contract from "../../contract/dead-letters.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { settleDeadLetter } from "./dead-letter.ts";
import { settleDeadLetters } from "./settle-dead-letters.ts";

export const dropDeadLetters = proposal(contract.dropDeadLetters, {
  access: persons,
  execute: (data, ctx) => settleDeadLetters(ctx, data, (delivery) => settleDeadLetter(ctx, delivery, "drop")),
});
