import * as contract from "../../contract/dead-letters.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { checkKnown } from "../core/known-target.ts";
import { toDeliveryView } from "../inbox/view.ts";
import { deadLetterFilter, findDeadLetters } from "./find-dead-letters.ts";

export const listDeadLetters = query(contract.listDeadLetters, {
  access: persons,

  async execute(data, ctx) {
    const filter = deadLetterFilter(data, ctx.caller);
    if (!filter.ok) return filter;
    const listed = await ctx.read(async (store) => {
      const found = await findDeadLetters(store, filter.value, data);
      if (!found.ok) return found;
      return ok({
        deliveries: found.value.map(toDeliveryView),
        total: await store.deliveries.countDead(filter.value),
      });
    });
    if (listed.ok && listed.value.total === 0 && data.agent !== undefined) {
      const known = await checkKnown(ctx, { kind: "dm", agent: data.agent }, { inWorkspaces: true });
      if (!known.ok) return known;
    }
    return listed;
  },
});
