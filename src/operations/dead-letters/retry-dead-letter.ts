import * as contract from "../../contract/dead-letters.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { findDeadLetter, reviveDeadLetter } from "./dead-letter.ts";

export const retryDeadLetter = proposal(contract.retryDeadLetter, {
  access: persons,

  async prepare(_data, ctx) {
    // The person may just have raised the budget or corrected the agent.
    await ctx.services.definitions.refresh();
    return ok(undefined);
  },

  async execute(data, ctx) {
    const found = await findDeadLetter(ctx, data);
    return found.ok ? reviveDeadLetter(ctx, found.value) : found;
  },
});
