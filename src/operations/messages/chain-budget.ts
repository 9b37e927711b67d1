import { detectLoop, LOOP_WINDOW, mayLoop, type ChainMessage } from "../../domain/causal/breaker.ts";
import {
  chargeMessage,
  chargeTokens,
  checkStep,
  exceedChainBudget,
  newTree,
  type CausalLimits,
  type ChainBudgetExceeded,
} from "../../domain/causal/budget.ts";
import type { Causality } from "../../domain/message/message.ts";
import { displaySpace, formatSpace } from "../../domain/message/space.ts";
import { targetSpace, type Target } from "../../domain/message/target.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { currentWorkflow } from "../workspaces/find-workflow.ts";
import { postNotice } from "./post-notice.ts";

/** The limits of the message chains in a space: each is the workflow's, or else the project's. */
export async function chainLimits({ store, services }: Execute, space: string): Promise<CausalLimits> {
  const { definitions, causalLimits } = services;
  const budget = (await currentWorkflow(store, definitions, space))?.budget;
  if (budget === undefined) return causalLimits;
  return {
    hops: budget.hops ?? causalLimits.hops,
    turns: budget.turns ?? causalLimits.turns,
    tokens: budget.tokens ?? causalLimits.tokens,
  };
}

/** `exceeded`: why the chain is stopped, or null. `first`: this charge stopped it. */
export interface ChainCharge {
  readonly exceeded: ChainBudgetExceeded | null;
  readonly first: boolean;
}

/**
 * Charges a message, and the tokens it took to write it, to its chain. A message that starts a chain costs nothing. The
 * caller stores a message whose chain is stopped, and makes dead letters of its deliveries: only a person starts a new
 * chain.
 */
export async function chargeMessageToChain(
  ctx: Execute,
  message: {
    readonly space: string;
    readonly sender: string;
    readonly body: string;
    readonly tokens: number;
    /** Whether it has recipients. One that hands on to nobody ends its chain by itself, so only its tokens count. */
    readonly wakes: boolean;
  },
  causality: Causality,
  cause: MessageRecord | undefined,
): Promise<ChainCharge> {
  const { root, depth } = causality;
  if (cause === undefined || depth === 0) return { exceeded: null, first: false };
  const limits = await chainLimits(ctx, message.space);
  const before = (await ctx.store.causal.tree(root)) ?? newTree(root);
  const withTokens = chargeTokens(before, { tokens: message.tokens, at: ctx.now }, limits).tree;
  let { tree, tripped } =
    message.wakes || depth <= limits.hops
      ? chargeMessage(withTokens, { depth, at: ctx.now }, limits)
      : { tree: withTokens, tripped: withTokens.tripped };
  if (tripped === null && message.wakes && depth >= LOOP_WINDOW && mayLoop(message, limits)) {
    const reason = detectLoop([...(await recentMessages(ctx, cause, limits)), message], limits);
    if (reason !== null) {
      tripped = { reason, at: ctx.now };
      tree = exceedChainBudget(tree, tripped);
    }
  }
  await ctx.store.causal.save(tree);
  return { exceeded: tripped, first: tripped !== null && before.tripped === null };
}

/** The last messages of the chain up to `last`, oldest first: as many as `detectLoop` needs. Most chains end at once. */
async function recentMessages(ctx: Execute, last: MessageRecord, limits: CausalLimits): Promise<ChainMessage[]> {
  const recent: ChainMessage[] = [];
  let at: MessageRecord | undefined = last;
  while (at !== undefined && mayLoop(at, limits)) {
    recent.unshift({ sender: at.sender, body: at.body });
    if (recent.length + 1 >= LOOP_WINDOW) break;
    at = at.cause === null ? undefined : await ctx.store.messages.byId(at.cause);
  }
  return recent;
}

/**
 * Charges the tokens of a finished step to the chain of its run. With `ahead`, returns why no further step may start, or
 * null when one may. With `announce`, posts a notice when the chain stops here.
 */
export async function chargeStepToChain(
  ctx: Execute,
  run: RunRecord,
  tokens: number,
  { ahead, announce }: { readonly ahead: boolean; readonly announce: boolean },
): Promise<string | null> {
  const limits = await chainLimits(ctx, run.space);
  const before = (await ctx.store.causal.tree(run.root)) ?? newTree(run.root);
  const charged = tokens === 0 ? before : chargeTokens(before, { tokens, at: ctx.now }, limits).tree;
  const next = ahead ? checkStep(charged, ctx.now, limits) : { tree: charged, tripped: null };
  if (next.tree !== before) await ctx.store.causal.save(next.tree);
  if (announce && before.tripped === null && next.tree.tripped !== null) {
    await announceChainStop(ctx, spaceTarget(run.space), run.root, next.tree.tripped.reason);
  }
  return next.tripped?.reason ?? null;
}

export async function announceChainStop(ctx: Execute, target: Target, root: string, reason: string): Promise<void> {
  await ctx.emit({ type: "breaker.tripped", space: formatSpace(targetSpace(target)), root, reason });
  const channel: Target = target.kind === "agent" ? { ...target, kind: "channel" } : target;
  const name = target.kind === "dm" ? target.agent : displaySpace(targetSpace(target));
  await postNotice(ctx, channel, `${reason} Go on with: agent-worker send ${name} "go on"`);
}
