import type { RunOutcome } from "../../domain/outcome.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { countRunWithoutSteps } from "./record-step.ts";

/** Texts are stored as they are: the caller redacts one that comes from an engine. `reason`: why it is incomplete. */
export async function endRun(
  ctx: Execute,
  run: RunRecord,
  outcome: RunOutcome,
  detail: string | null,
  reason: string | null = null,
): Promise<void> {
  if (outcome === "failed") await countRunWithoutSteps(ctx, run);
  await Promise.all([
    ctx.store.callAnswers.forget(run.id),
    ctx.store.runs.end(run.id, { endedAt: ctx.now, outcome, detail, reason }),
  ]);
  await ctx.emit({ type: "run.ended", space: run.space, agent: run.agent, run: run.id, outcome });
}
