import * as contract from "../../contract/dead-letters.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { findDeadLetter, settleDeadLetter } from "./dead-letter.ts";

export const dropDeadLetter = proposal(contract.dropDeadLetter, {
  access: persons,

  async execute(data, ctx) {
    const found = await findDeadLetter(ctx, data);
    return found.ok ? settleDeadLetter(ctx, found.value, "drop") : found;
  },
});
