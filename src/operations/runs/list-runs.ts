import * as contract from "../../contract/runs.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { checkKnown } from "../core/known-target.ts";
import { mailboxQuery } from "../core/mailbox-query.ts";
import { runStop } from "./run-stop.ts";
import { toRunView } from "./view.ts";

export const listRuns = query(contract.listRuns, {
  access: persons,

  async execute({ target, unfinished, limit, before }, ctx) {
    const parsed = target === undefined ? ok(undefined) : parseTarget(target);
    if (!parsed.ok) return parsed;
    const views = await ctx.read(async (store) => {
      const filter = parsed.value === undefined ? {} : await mailboxQuery(store, parsed.value);
      const runs = unfinished
        ? (await store.runs.unfinished()).filter(
            ({ mailbox, space }) => mailbox === (filter.mailbox ?? mailbox) && space === (filter.space ?? space),
          )
        : await store.history.list({ ...filter, limit, ...(before === undefined ? {} : { before }) });
      const found = [];
      for (const run of runs.slice(-limit)) {
        found.push(toRunView(run, await store.runs.usage({ run: run.id }), await runStop(store, run)));
      }
      return found;
    });
    if (views.length === 0 && parsed.value !== undefined) {
      const known = await checkKnown(ctx, parsed.value);
      if (!known.ok) return known;
    }
    return ok({ runs: views.toSorted((a, b) => (a.id < b.id ? 1 : -1)) });
  },
});
