import { chargeTokens, checkStep, newTree } from "../../domain/causal/budget.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import { chainLimits } from "./chain-limits.ts";
import type { Execute } from "../core/define.ts";
import { announceChainStop } from "./post-message.ts";
import { spaceTarget } from "../core/space-target.ts";

/**
 * Charges what a step used to the chain of messages its run belongs to. `ahead`: another step is to follow; then it
 * answers why it must not, null when it may. `announce`: say so in the channel when the chain stops here.
 */
export async function chargeChain(
  ctx: Execute,
  run: RunRecord,
  tokens: number,
  { ahead, announce }: { readonly ahead: boolean; readonly announce: boolean },
): Promise<string | null> {
  const limits = chainLimits(ctx.services, run.space);
  const before = (await ctx.store.causal.tree(run.root)) ?? newTree(run.root);
  const charged = tokens === 0 ? before : chargeTokens(before, { tokens, at: ctx.now }, limits).tree;
  const next = ahead ? checkStep(charged, ctx.now, limits) : { tree: charged, tripped: null };
  if (next.tree !== before) await ctx.store.causal.save(next.tree);
  if (announce && before.tripped === null && next.tree.tripped !== null) {
    await announceChainStop(ctx, spaceTarget(run.space), run.root, next.tree.tripped.reason);
  }
  return next.tripped?.reason ?? null;
}
