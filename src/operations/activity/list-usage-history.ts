import * as contract from "../../contract/activity/usage-history.ts";
import { addTotals } from "../../domain/budget/usage.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import type { DayUsage, UsagePart } from "../../ports/store/usage.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { checkKnown } from "../core/known-target.ts";
import { mailboxQuery } from "../core/mailbox-query.ts";
import { toUsageView } from "../usage/view.ts";

const PARTS = { agent: "mailbox", workflow: "space", workspace: "space", model: "model" } as const satisfies Record<
  string,
  UsagePart
>;
const DIRECT = "direct messages";

/** Returns the sums by workflow: those of its workspaces of the same day together. */
function byWorkflow(days: readonly DayUsage[]): readonly DayUsage[] {
  const sums = new Map<string, DayUsage>();
  for (const { day, key: space, total } of days) {
    const key = space.startsWith("@") ? (space.split(":")[0] ?? space) : DIRECT;
    const sum = sums.get(`${day} ${key}`);
    sums.set(`${day} ${key}`, { day, key, total: sum === undefined ? total : addTotals(sum.total, total) });
  }
  return [...sums.values()];
}

export const listUsageHistory = query(contract.listUsageHistory, {
  access: persons,

  async execute({ by, target, since }, ctx) {
    const parsed = target === undefined ? ok(undefined) : parseTarget(target);
    if (!parsed.ok) return parsed;
    const days = await ctx.read(async (store) => {
      const filter = parsed.value === undefined ? {} : await mailboxQuery(store, parsed.value);
      return store.usage.history(PARTS[by], { ...filter, ...(since === undefined ? {} : { since }) });
    });
    if (days.length === 0 && parsed.value !== undefined) {
      const known = await checkKnown(ctx, parsed.value);
      if (!known.ok) return known;
    }
    const shown = by === "workflow" ? byWorkflow(days) : days;
    return ok({ days: shown.map(({ day, key, total }) => ({ day, key, usage: toUsageView(total) })) });
  },
});
