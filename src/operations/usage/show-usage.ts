import { z } from "zod";
import { usageView } from "../../contract/usage.ts";
import { addTotals, NOTHING_USED } from "../../domain/budget/usage.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import type { UsageQuery } from "../../ports/store/usage.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { mailboxQuery } from "../core/mailbox-query.ts";
import { toUsageView } from "./view.ts";

/** What the work has used: of the project, of an agent, of a workspace, or of one of its agents. */
export const showUsage = query({
  name: "show-usage",
  summary: "Show the tokens, time and cost of the work, in total and by agent, workspace and day.",
  input: z.object({
    target: z.string().optional().describe("alice, @review or alice@review; absent: the whole project."),
    since: z.iso.date().optional().describe("First day to count, in UTC: 2026-01-31. Absent: from the beginning."),
  }),
  output: z.object({
    total: usageView,
    agents: z.array(z.object({ agent: z.string(), mailbox: z.string(), usage: usageView })),
    /** By workspace; direct messages are under the name of their agent. */
    spaces: z.array(z.object({ space: z.string(), usage: usageView })),
    days: z.array(z.object({ day: z.string(), usage: usageView })),
  }),
  access: persons,

  async answer({ target, since }, ctx) {
    const wanted = target === undefined ? ok(undefined) : parseTarget(target);
    if (!wanted.ok) return wanted;
    const by = await ctx.read(async (store) => {
      const about = wanted.value === undefined ? {} : await mailboxQuery(store, wanted.value);
      const filter: UsageQuery = { ...about, ...(since === undefined ? {} : { since }) };
      return {
        mailbox: await store.usage.by("mailbox", filter),
        space: await store.usage.by("space", filter),
        day: await store.usage.by("day", filter),
      };
    });
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
