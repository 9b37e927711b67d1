import type { RunRecord } from "../../ports/store/run.ts";
import { findBudgetStop, stopForBudget } from "./budget-stop.ts";
import { chargeStepToChain } from "../messages/chain-budget.ts";
import type { Execute } from "../core/define.ts";
import { endRun } from "./end-run.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";

/**
 * Between two steps: charges what the last one used to the chain of the run, and ends the run when a budget is used up,
 * that of its agent, of its workspace or of the chain. Its deliveries become dead letters. Answers the reason; null
 * when it may go on.
 */
export async function stopRun(ctx: Execute, run: RunRecord, tokens: number): Promise<string | null> {
  const work = { mailbox: run.mailbox, space: run.space, run: run.id };
  const stop = await findBudgetStop(ctx, work);
  const chain = await chargeStepToChain(ctx, run, tokens, { ahead: true, announce: stop === null });
  const reason = stop?.reason ?? chain;
  if (reason === null) return null;
  const deliveries = await ctx.store.deliveries.ofRun(run.id);
  if (stop === null) await makeDeadLetters(ctx, deliveries, reason);
  else await stopForBudget(ctx, work, deliveries, stop);
  await endRun(ctx, run, "failed", reason);
  return reason;
}
