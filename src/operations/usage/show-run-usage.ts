import * as contract from "../../contract/usage.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { toUsageView } from "./view.ts";

/** Returns the usage of one run and of its whole chain of messages. */
export const showRunUsage = query(contract.showRunUsage, {
  access: persons,

  async execute(data, ctx) {
    return ctx.read(async (store) => {
      const root =
        "run" in data ? (await store.runs.byId(data.run))?.root : (await store.messages.byId(data.message))?.root;
      if (root === undefined) {
        const [kind, id] = "run" in data ? ["run", data.run] : ["message", data.message];
        return refuse("not_found", `There is no ${kind} "${id.slice(0, 64)}".`, {
          hint: "Look the id up in the channel.",
        });
      }
      const tree = await store.causal.tree(root);
      const run = "run" in data ? await store.runs.usage({ run: data.run }) : null;
      const chain = await store.runs.usage({ root });
      return ok({
        root,
        run: run === null ? null : toUsageView(run),
        chain: toUsageView(chain),
        messages: tree?.messages ?? 0,
        stopped: tree?.tripped?.reason ?? null,
      });
    });
  },
});
