import * as contract from "../../contract/runs.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { mailboxQuery } from "../core/mailbox-query.ts";
import { toRunView } from "./view.ts";

export const listRuns = query(contract.listRuns, {
  access: persons,

  async execute({ target, unfinished, limit }, ctx) {
    const wanted = target === undefined ? ok(undefined) : parseTarget(target);
    if (!wanted.ok) return wanted;
    const views = await ctx.read(async (store) => {
      const about = wanted.value === undefined ? {} : await mailboxQuery(store, wanted.value);
      const runs = unfinished
        ? (await store.runs.unfinished()).filter(
            ({ mailbox, space }) => mailbox === (about.mailbox ?? mailbox) && space === (about.space ?? space),
          )
        : await store.history.list({ ...about, limit });
      const found = [];
      for (const run of runs.slice(-limit)) found.push(toRunView(run, await store.runs.usage({ run: run.id })));
      return found;
    });
    return ok({ runs: views.toSorted((a, b) => (a.id < b.id ? 1 : -1)) });
  },
});
