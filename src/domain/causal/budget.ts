import type { Budget } from "../agent/definition.ts";
import { type Causality, PERSON } from "../message/message.ts";

/**
 * Every message belongs to a causal tree: a message and everything it led to. The tree (a "chain of messages" for people)
 * has a budget: its depth (hops), its runs (turns) and their tokens. When one limit is reached, the chain budget is
 * exceeded for good: the tree accepts no more messages and runs. A message of a person starts a new tree, so a person is
 * never stopped. Counters only grow, and never above their limit.
 */
export interface CausalLimits {
  readonly hops: number;
  readonly turns: number;
  readonly tokens: number;
}

/**
 * Enough for a team that works normally (some thirty rounds of review, a few long runs of a coding engine, which reads
 * its context again at every step), but reached within minutes by a runaway team.
 */
export const DEFAULT_LIMITS: CausalLimits = { hops: 64, turns: 200, tokens: 10_000_000 };

/** The first budget that has a limit sets it: pass the most specific budget first. */
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

/** Stored as JSON: the field names are part of the database format. */
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

/** `tree` must be stored in both cases. With `tripped`, nothing was charged: the message or run must not happen. */
export type Charge =
  | { readonly tree: CausalTree; readonly tripped: null }
  | { readonly tree: CausalTree; readonly tripped: ChainBudgetExceeded };

/** Called before a message is accepted. */
export function chargeMessage(
  tree: CausalTree,
  message: { readonly depth: number; readonly at: number },
  limits: CausalLimits,
): Charge {
  if (tree.tripped !== null) return { tree, tripped: tree.tripped };
  if (message.depth > limits.hops) return exceed(tree, counted(limits.hops, "hop"), message.at);
  const maxDepth = Math.max(tree.maxDepth, message.depth);
  return { tree: { ...tree, messages: tree.messages + 1, maxDepth }, tripped: null };
}

/** Called before a run is started. */
export function chargeTurn(tree: CausalTree, at: number, limits: CausalLimits): Charge {
  if (tree.tripped !== null) return { tree, tripped: tree.tripped };
  if (tree.turns >= limits.turns) return exceed(tree, counted(limits.turns, "turn"), at);
  if (tree.tokens >= limits.tokens) return exceed(tree, counted(limits.tokens, "token"), at);
  return { tree: { ...tree, turns: tree.turns + 1 }, tripped: null };
}

/**
 * Called after a step, when its usage is known. A step that goes over the limit fills the budget and exceeds it;
 * `checkStep` before the next step limits the overshoot to one step. If the budget was exceeded for another reason,
 * active runs may finish, and their usage still counts.
 */
export function chargeTokens(
  tree: CausalTree,
  used: { readonly tokens: number; readonly at: number },
  limits: CausalLimits,
): Charge {
  const tokens = tree.tokens + Math.max(0, used.tokens);
  const charged = { ...tree, tokens: Math.max(tree.tokens, Math.min(tokens, limits.tokens)) };
  if (tree.tripped !== null) return { tree: charged, tripped: tree.tripped };
  return tokens > limits.tokens
    ? exceed(charged, counted(limits.tokens, "token"), used.at)
    : { tree: charged, tripped: null };
}

/** Called before a further step of a run. */
export function checkStep(tree: CausalTree, at: number, limits: CausalLimits): Charge {
  if (tree.tokens < limits.tokens) return { tree, tripped: null };
  return tree.tripped === null ? exceed(tree, counted(limits.tokens, "token"), at) : { tree, tripped: tree.tripped };
}

/** Marks the budget as exceeded for another reason, such as that of `detectLoop`. The first reason stays. */
export function exceedChainBudget(tree: CausalTree, tripped: ChainBudgetExceeded): CausalTree {
  return tree.tripped === null ? { ...tree, tripped } : tree;
}

function counted(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

function exceed(tree: CausalTree, limit: string, at: number): Charge {
  const reason = `This chain of messages has reached its limit of ${limit}. It goes on when a person writes.`;
  const tripped = { reason, at };
  return { tree: { ...tree, tripped }, tripped };
}
