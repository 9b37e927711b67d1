import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { RunOutcome, RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { countRunWithoutSteps } from "./record-step.ts";

/** `detail` is stored as it is: the caller redacts a text that comes from an engine. */
export async function endRun(ctx: Execute, run: RunRecord, outcome: RunOutcome, detail: string | null): Promise<void> {
  if (outcome === "failed") await countRunWithoutSteps(ctx, run);
  await ctx.store.callAnswers.forget(run.id);
  await ctx.store.runs.end(run.id, { endedAt: ctx.now, outcome, detail });
  await ctx.emit({ type: "run.ended", space: run.space, agent: mailboxAgent(run.mailbox), run: run.id, outcome });
}
