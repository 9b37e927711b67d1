import * as contract from "../../contract/dead-letters.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { reviveDeadLetter } from "./dead-letter.ts";
import { settleDeadLetters } from "./settle-dead-letters.ts";

export const retryDeadLetters = proposal(contract.retryDeadLetters, {
  access: persons,

  async prepare(_data, ctx) {
    // The person may just have raised the budget or corrected the agent.
    await ctx.services.definitions.refresh();
    return ok(undefined);
  },

  execute: (data, ctx) => settleDeadLetters(ctx, data, (delivery) => reviveDeadLetter(ctx, delivery)),
});
