import * as contract from "../../contract/usage.ts";
import { addTotals, NOTHING_USED, type UsageTotal } from "../../domain/budget/usage.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import type { UsageQuery } from "../../ports/store/usage.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { mailboxQuery } from "../core/mailbox-query.ts";
import { toUsageView } from "./view.ts";

/** Returns the usage of the project, an agent, a workspace, or an agent in a workspace. */
export const showUsage = query(contract.showUsage, {
  access: persons,

  async answer({ target, since }, ctx) {
    const wanted = target === undefined ? ok(undefined) : parseTarget(target);
    if (!wanted.ok) return wanted;
    const queries = await ctx.readEverywhere(async (store) => {
      const about = wanted.value === undefined ? {} : await mailboxQuery(store, wanted.value);
      const filter: UsageQuery = { ...about, ...(since === undefined ? {} : { since }) };
      return {
        mailbox: await store.usage.by("mailbox", filter),
        space: await store.usage.by("space", filter),
        day: await store.usage.by("day", filter),
      };
    });
    const by = (part: "mailbox" | "space" | "day") => mergeByKey(queries.flatMap((each) => each[part]));
    const days = by("day");
    return ok({
      total: toUsageView(days.map(([, total]) => total).reduce(addTotals, NOTHING_USED)),
      agents: by("mailbox").map(([mailbox, total]) => ({
        agent: mailboxAgent(mailbox),
        mailbox,
        usage: toUsageView(total),
      })),
      spaces: by("space").map(([space, total]) => ({ space, usage: toUsageView(total) })),
      days: days.map(([day, total]) => ({ day, usage: toUsageView(total) })),
    });
  },
});

function mergeByKey(rows: readonly { readonly key: string; readonly total: UsageTotal }[]): [string, UsageTotal][] {
  const merged = new Map<string, UsageTotal>();
  for (const { key, total } of rows) merged.set(key, addTotals(merged.get(key) ?? NOTHING_USED, total));
  return [...merged].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
