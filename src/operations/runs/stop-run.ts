import type { Budget } from "../../domain/agent/definition.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";
import { chargeStepToChain } from "../messages/chain-budget.ts";
import { findBudgetStop, stopForBudget } from "./budget-stop.ts";
import { endRun } from "./end-run.ts";

/**
 * Between two steps: charges the tokens of the last one to the chain, and ends the run when the budget of its agent, its
 * workspace or its chain is used up: it is incomplete, and its deliveries become dead letters. Returns the reason; null when the run continues.
 */
export async function stopRun(
  ctx: Execute,
  run: RunRecord,
  tokens: number,
  budgetAtStart?: Budget,
): Promise<string | null> {
  const { mailbox, agent, space } = run;
  const work = { mailbox, agent, space, run: run.id, budgetAtStart };
  const stop = await findBudgetStop(ctx, work);
  const chain = await chargeStepToChain(ctx, run, tokens, { ahead: true, announce: stop === null });
  const reason = stop?.reason ?? chain;
  if (reason === null) return null;
  const deliveries = await ctx.store.deliveries.ofRun(run.id);
  if (stop === null) await makeDeadLetters(ctx, deliveries, reason, "incomplete");
  else await stopForBudget(ctx, work, deliveries, stop);
  await endRun(ctx, run, "incomplete", null, reason);
  return reason;
}
