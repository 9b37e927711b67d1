import * as contract from "../../contract/runs.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { mailboxQuery } from "../core/mailbox-query.ts";
import { toRunView } from "./view.ts";

export const listRuns = query(contract.listRuns, {
  access: persons,

  async answer({ target, unfinished, limit }, ctx) {
    const wanted = target === undefined ? ok(undefined) : parseTarget(target);
    if (!wanted.ok) return wanted;
    const found = await ctx.readEverywhere(async (store) => {
      const about = wanted.value === undefined ? {} : await mailboxQuery(store, wanted.value);
      const runs = unfinished
        ? (await store.runs.unfinished()).filter(
            ({ mailbox, space }) => mailbox === (about.mailbox ?? mailbox) && space === (about.space ?? space),
          )
        : await store.history.list({ ...about, limit });
      const views = [];
      for (const run of runs.slice(-limit)) views.push(toRunView(run, await store.runs.usage({ run: run.id })));
      return views;
    });
    const newestFirst = found.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1));
    return ok({ runs: newestFirst.slice(0, limit) });
  },
});
