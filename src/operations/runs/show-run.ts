import * as contract from "../../contract/runs.ts";
import { runReceiptView } from "../../contract/runs.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { toMessageView } from "../messages/view.ts";
import { runStop } from "./run-stop.ts";
import { toRunDefinitionView, toRunView, toStepView } from "./view.ts";
import { waitOf } from "./waiting-runs.ts";

export const showRun = query(contract.showRun, {
  access: persons,

  async execute({ id }, ctx) {
    const { definitions } = ctx.services;
    await definitions.refresh();
    return ctx.read(async (store) => {
      const run = await store.runs.byId(id);
      if (run === undefined) return unknownRun(id);
      const answered = await store.messages.byId(run.cause);
      const receipt = await store.history.receipt(id);
      const removedAt = await store.history.detailsRemovedAt(id);
      return ok({
        ...toRunView(run, await store.runs.usage({ run: id }), await runStop(store, run)),
        answers: answered === undefined ? null : toMessageView(answered),
        receipt: receipt === null ? null : runReceiptView.parse(JSON.parse(receipt)),
        definition: await toRunDefinitionView(store, definitions, run),
        waits: await waitOf(store, run),
        detailsRemovedAt: removedAt === null ? null : new Date(removedAt).toISOString(),
        steps: (await store.history.steps(id)).map(toStepView),
      });
    });
  },
});

export function unknownRun(id: string) {
  return refuse("not_found", `There is no run "${id.slice(0, 64)}".`, {
    hint: "List them with: agent-worker runs list",
  });
}
