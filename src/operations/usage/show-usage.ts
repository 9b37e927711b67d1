import * as contract from "../../contract/usage.ts";
import { addTotals, NOTHING_USED } from "../../domain/budget/usage.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import type { UsageQuery } from "../../ports/store/usage.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { checkKnown } from "../core/known-target.ts";
import { mailboxQuery } from "../core/mailbox-query.ts";
import { toUsageView } from "./view.ts";

/** Returns the usage of the project, an agent, a workspace, or an agent in a workspace. */
export const showUsage = query(contract.showUsage, {
  access: persons,

  async execute({ target, since }, ctx) {
    const parsed = target === undefined ? ok(undefined) : parseTarget(target);
    if (!parsed.ok) return parsed;
    const by = await ctx.read(async (store) => {
      const selected = parsed.value === undefined ? {} : await mailboxQuery(store, parsed.value);
      const filter: UsageQuery = { ...selected, ...(since === undefined ? {} : { since }) };
      return {
        mailbox: await store.usage.by("mailbox", filter),
        space: await store.usage.by("space", filter),
        day: await store.usage.by("day", filter),
      };
    });
    if (by.day.length === 0 && parsed.value !== undefined) {
      const known = await checkKnown(ctx, parsed.value);
      if (!known.ok) return known;
    }
    return ok({
      total: toUsageView(by.day.map(({ total }) => total).reduce(addTotals, NOTHING_USED)),
      agents: by.mailbox.map(({ key, total }) => ({
        agent: mailboxAgent(key),
        mailbox: key,
        usage: toUsageView(total),
      })),
      spaces: by.space.map(({ key, total }) => ({ space: key, usage: toUsageView(total) })),
      days: by.day.map(({ key, total }) => ({ day: key, usage: toUsageView(total) })),
    });
  },
});
