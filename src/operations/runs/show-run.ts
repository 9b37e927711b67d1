import { z } from "zod";
import { runDetailView, runReceiptView } from "../../contract/run.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { toMessageView } from "../messages/view.ts";
import { toRunView, toStepView } from "./view.ts";

export const showRun = query({
  name: "show-run",
  summary:
    "Show one run: what it answers, what it was given and what was left out, its steps with their tool calls and what each has used.",
  input: z.object({ id: z.string().describe("Id of a run.") }),
  output: runDetailView,
  access: persons,

  async answer({ id }, ctx) {
    return ctx.read(async (store) => {
      const run = await store.runs.byId(id);
      if (run === undefined) {
        return refuse("not_found", `There is no run "${id.slice(0, 64)}".`, {
          hint: "List them with: agent-worker runs list",
        });
      }
      const answered = await store.messages.byId(run.cause);
      const receipt = await store.history.receipt(id);
      return ok({
        ...toRunView(run, await store.runs.usage({ run: id })),
        answers: answered === undefined ? null : toMessageView(answered),
        receipt: receipt === null ? null : runReceiptView.parse(JSON.parse(receipt)),
        steps: (await store.history.steps(id)).map(toStepView),
      });
    });
  },
});
