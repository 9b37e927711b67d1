import { z } from "zod";
import { runDetailView, runReceiptView } from "../contract/run.ts";
import { refuse } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import { persons } from "./access.ts";
import { query } from "./define.ts";
import { toRunView } from "./run-view.ts";
import { toUsageView } from "./usage-view.ts";

export const showRun = query({
  name: "show-run",
  summary: "Show one run: how it ended, what it used, what it was given and what was left out.",
  input: z.object({ run: z.string().describe("Id of a run: see list-runs.") }),
  output: runDetailView,
  access: persons,

  async answer({ run: id }, ctx) {
    const found = await ctx.readEverywhere(async (store) => {
      const run = await store.runs.byId(id);
      if (run === undefined) return [];
      const receipt = await store.runs.receipt(id);
      const usage = toUsageView(await store.runs.usage({ run: id }));
      return [
        { ...toRunView(run), detail: run.detail, usage, receipt: receipt === null ? null : readReceipt(receipt) },
      ];
    });
    const [run] = found.flat();
    if (run !== undefined) return ok(run);
    return refuse("not_found", `There is no run "${id.slice(0, 64)}".`, { hint: "See: agent-worker runs" });
  },
});

function readReceipt(json: string): z.output<typeof runReceiptView> {
  return runReceiptView.parse(JSON.parse(json));
}
