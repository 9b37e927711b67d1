import type { Budget } from "../agent/definition.ts";
import { type Causality, PERSON } from "../message/message.ts";

/**
 * Every message belongs to the tree of what it led to, and the tree has a budget: how deep it may grow (hops), how many
 * runs it may cause (turns) and how many tokens those may use. When one is used up the tree trips, once and for all:
 * it accepts no more messages and runs, and a person has to speak. What a person says starts a new tree, so a person is
 * never stopped. Counters only grow, and never past their limit.
 */
export interface CausalLimits {
  readonly hops: number;
  readonly turns: number;
  readonly tokens: number;
}

/**
 * Room for an honest team (some thirty rounds of review, a few long runs of a coding engine, which reads its own
 * context again at every step), yet reached within minutes by a runaway one.
 */
export const DEFAULT_LIMITS: CausalLimits = { hops: 64, turns: 200, tokens: 10_000_000 };

/** The first budget that names a limit sets it: give the closest one first. */
export function causalLimits(...budgets: readonly (Budget | undefined)[]): CausalLimits {
  const first = (limit: keyof CausalLimits): number =>
    budgets.find((budget) => budget?.[limit] !== undefined)?.[limit] ?? DEFAULT_LIMITS[limit];
  return { hops: first("hops"), turns: first("turns"), tokens: first("tokens") };
}

export function nextCausality(
  cause: { readonly id: string; readonly causality: Causality } | null,
  message: { readonly id: string; readonly sender: string },
): Causality {
  if (cause === null || message.sender === PERSON) return { root: message.id, cause: null, depth: 0 };
  return { root: cause.causality.root, cause: cause.id, depth: cause.causality.depth + 1 };
}

export interface ChainBudgetExceeded {
  /** One sentence for the channel. */
  readonly reason: string;
  /** Wall time. */
  readonly at: number;
}

export interface CausalTree {
  readonly root: string;
  readonly messages: number;
  readonly turns: number;
  readonly tokens: number;
  readonly maxDepth: number;
  readonly tripped: ChainBudgetExceeded | null;
}

export function newTree(root: string): CausalTree {
  return { root, messages: 0, turns: 0, tokens: 0, maxDepth: 0, tripped: null };
}

/** `tree` is what to keep in either case. A tripped charge was not made: the message or run must not happen. */
export type Charge =
  | { readonly tree: CausalTree; readonly tripped: null }
  | { readonly tree: CausalTree; readonly tripped: ChainBudgetExceeded };

/** Before a message is accepted. */
export function chargeMessage(
  tree: CausalTree,
  message: { readonly depth: number; readonly at: number },
  limits: CausalLimits,
): Charge {
  if (tree.tripped !== null) return { tree, tripped: tree.tripped };
  if (message.depth > limits.hops) return trip(tree, `${limits.hops} hops`, message.at);
  const maxDepth = Math.max(tree.maxDepth, message.depth);
  return { tree: { ...tree, messages: tree.messages + 1, maxDepth }, tripped: null };
}

/** Before a run is started. */
export function chargeTurn(tree: CausalTree, at: number, limits: CausalLimits): Charge {
  if (tree.tripped !== null) return { tree, tripped: tree.tripped };
  if (tree.turns >= limits.turns) return trip(tree, `${limits.turns} turns`, at);
  if (tree.tokens >= limits.tokens) return trip(tree, `${limits.tokens} tokens`, at);
  return { tree: { ...tree, turns: tree.turns + 1 }, tripped: null };
}

/**
 * After a step, when its use is known. A step that overshoots fills the budget and trips it; `checkStep` before the next
 * one is what keeps the overshoot to one step. Runs under way in a tree that tripped for another reason may finish, and
 * what they use still counts.
 */
export function chargeTokens(
  tree: CausalTree,
  used: { readonly tokens: number; readonly at: number },
  limits: CausalLimits,
): Charge {
  const tokens = tree.tokens + Math.max(0, used.tokens);
  const counted = { ...tree, tokens: Math.max(tree.tokens, Math.min(tokens, limits.tokens)) };
  if (tree.tripped !== null) return { tree: counted, tripped: tree.tripped };
  return tokens > limits.tokens ? trip(counted, `${limits.tokens} tokens`, used.at) : { tree: counted, tripped: null };
}

/** 0 = no further step may start: neither a new run, nor the next step of one that is under way. */
function remainingTokens(tree: CausalTree, limits: CausalLimits): number {
  return Math.max(0, limits.tokens - tree.tokens);
}

/** Before a further step of a run. */
export function checkStep(tree: CausalTree, at: number, limits: CausalLimits): Charge {
  if (remainingTokens(tree, limits) > 0) return { tree, tripped: null };
  return tree.tripped === null ? trip(tree, `${limits.tokens} tokens`, at) : { tree, tripped: tree.tripped };
}

/** For a reason found elsewhere, such as the breaker's. A tree that has tripped keeps its first reason. */
export function exceedChainBudget(tree: CausalTree, tripped: ChainBudgetExceeded): CausalTree {
  return tree.tripped === null ? { ...tree, tripped } : tree;
}

function trip(tree: CausalTree, limit: string, at: number): Charge {
  const reason = `This chain of messages has reached its limit of ${limit}. It goes on when a person writes.`;
  const tripped = { reason, at };
  return { tree: { ...tree, tripped }, tripped };
}
