import { z } from "zod";
import { usageView } from "../../contract/usage.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { toUsageView } from "./view.ts";

/** What one run has used, and what the whole chain of messages it belongs to has. */
export const showRunUsage = query({
  name: "show-run-usage",
  summary: "Show what one run used, or all runs that one message led to.",
  input: z.union([
    z.object({ run: z.string().describe("Id of a run.") }),
    z.object({ message: z.string().describe("Id of any message of the chain.") }),
  ]),
  output: z.object({
    /** Id of the message the chain began with. */
    root: z.string(),
    /** Null when the request names a message. */
    run: usageView.nullable(),
    chain: usageView,
    messages: z.int(),
    /** Why the chain was stopped; null when it was not. */
    stopped: z.string().nullable(),
  }),
  access: persons,

  async answer(data, ctx) {
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
