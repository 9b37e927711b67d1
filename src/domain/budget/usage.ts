/**
 * The usage of steps: tokens by class, cost, time. A value that an engine does not report is unknown, never 0. A total
 * with unknown values is a lower bound and counts the steps with unknown values.
 */

/**
 * The usage of one step; null where the engine does not report it. Input counts all tokens sent, cached or not; output
 * counts all tokens generated, including reasoning.
 */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly cost: Cost;
}

export type Cost = { readonly basis: "reported" | "estimated"; readonly usd: number } | { readonly basis: "unknown" };

export const UNKNOWN_USAGE: Usage = {
  inputTokens: null,
  outputTokens: null,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  cost: { basis: "unknown" },
};

/** Replaces impossible values (negative, not a number) by unknown, so that they do not corrupt a sum. */
export function plausibleUsage(usage: Usage): Usage {
  const { cost } = usage;
  return {
    inputTokens: plausible(usage.inputTokens),
    outputTokens: plausible(usage.outputTokens),
    cachedInputTokens: plausible(usage.cachedInputTokens),
    cacheWriteTokens: plausible(usage.cacheWriteTokens),
    reasoningTokens: plausible(usage.reasoningTokens),
    cost: cost.basis !== "unknown" && cost.usd >= 0 && Number.isFinite(cost.usd) ? cost : { basis: "unknown" },
  };
}

function plausible(tokens: number | null): number | null {
  const whole = tokens === null ? Number.NaN : Math.round(tokens);
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : null;
}

/** Returns the tokens that a budget is charged: all known ones, each once. */
export function tokensOf(usage: Usage): { readonly tokens: number; readonly complete: boolean } {
  // Corrects engines that do not count cached tokens as input, or reasoning tokens as output.
  const input = Math.max(usage.inputTokens ?? 0, (usage.cachedInputTokens ?? 0) + (usage.cacheWriteTokens ?? 0));
  const output = Math.max(usage.outputTokens ?? 0, usage.reasoningTokens ?? 0);
  return { tokens: input + output, complete: usage.inputTokens !== null && usage.outputTokens !== null };
}

/** The usage of any number of steps. */
export interface UsageTotal {
  readonly runs: number;
  readonly steps: number;
  /** Time spent in steps, without waiting for people, retries or more urgent work. */
  readonly wallMs: number;
  /** Known tokens; `unknownTokenSteps` steps did not report all of theirs. */
  readonly tokens: number;
  readonly unknownTokenSteps: number;
  /** By class; null when no step reported them. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly reportedUsd: number;
  readonly estimatedUsd: number;
  readonly unknownCostSteps: number;
}

export const NOTHING_USED: UsageTotal = {
  runs: 0,
  steps: 0,
  wallMs: 0,
  tokens: 0,
  unknownTokenSteps: 0,
  inputTokens: null,
  outputTokens: null,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  reportedUsd: 0,
  estimatedUsd: 0,
  unknownCostSteps: 0,
};

/** A run is counted with its first step. */
export function stepTotal(step: {
  readonly number: number;
  readonly usage: Usage;
  readonly wallMs: number;
}): UsageTotal {
  const { cost, ...tokensByClass } = step.usage;
  const { tokens, complete } = tokensOf(step.usage);
  return {
    ...tokensByClass,
    runs: step.number === 1 ? 1 : 0,
    steps: 1,
    wallMs: step.wallMs,
    tokens,
    unknownTokenSteps: complete ? 0 : 1,
    reportedUsd: cost.basis === "reported" ? cost.usd : 0,
    estimatedUsd: cost.basis === "estimated" ? cost.usd : 0,
    unknownCostSteps: cost.basis === "unknown" ? 1 : 0,
  };
}

export function addTotals(a: UsageTotal, b: UsageTotal): UsageTotal {
  return {
    runs: a.runs + b.runs,
    steps: a.steps + b.steps,
    wallMs: a.wallMs + b.wallMs,
    tokens: a.tokens + b.tokens,
    unknownTokenSteps: a.unknownTokenSteps + b.unknownTokenSteps,
    inputTokens: addKnown(a.inputTokens, b.inputTokens),
    outputTokens: addKnown(a.outputTokens, b.outputTokens),
    cachedInputTokens: addKnown(a.cachedInputTokens, b.cachedInputTokens),
    cacheWriteTokens: addKnown(a.cacheWriteTokens, b.cacheWriteTokens),
    reasoningTokens: addKnown(a.reasoningTokens, b.reasoningTokens),
    reportedUsd: a.reportedUsd + b.reportedUsd,
    estimatedUsd: a.estimatedUsd + b.estimatedUsd,
    unknownCostSteps: a.unknownCostSteps + b.unknownCostSteps,
  };
}

/** Returns what is left of a sum without one of its parts. */
export function subtractTotals(sum: UsageTotal, part: UsageTotal): UsageTotal {
  return {
    runs: sum.runs - part.runs,
    steps: sum.steps - part.steps,
    wallMs: sum.wallMs - part.wallMs,
    tokens: sum.tokens - part.tokens,
    unknownTokenSteps: sum.unknownTokenSteps - part.unknownTokenSteps,
    inputTokens: subtractKnown(sum.inputTokens, part.inputTokens),
    outputTokens: subtractKnown(sum.outputTokens, part.outputTokens),
    cachedInputTokens: subtractKnown(sum.cachedInputTokens, part.cachedInputTokens),
    cacheWriteTokens: subtractKnown(sum.cacheWriteTokens, part.cacheWriteTokens),
    reasoningTokens: subtractKnown(sum.reasoningTokens, part.reasoningTokens),
    reportedUsd: Math.max(0, sum.reportedUsd - part.reportedUsd),
    estimatedUsd: Math.max(0, sum.estimatedUsd - part.estimatedUsd),
    unknownCostSteps: sum.unknownCostSteps - part.unknownCostSteps,
  };
}

/** Returns the known cost, reported or estimated. Rounded: a sum of such numbers has digits that nobody was charged. */
export function knownUsd({ reportedUsd, estimatedUsd }: UsageTotal): number {
  return Math.round((reportedUsd + estimatedUsd) * 1e9) / 1e9;
}

/** The basis of a sum is the least certain basis of its parts. */
export function totalCost(total: UsageTotal): Cost {
  if (total.unknownCostSteps > 0) return { basis: "unknown" };
  return { basis: total.estimatedUsd > 0 ? "estimated" : "reported", usd: knownUsd(total) };
}

function addKnown(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}

/** Nothing is left of a number that the part has whole. */
function subtractKnown(sum: number | null, part: number | null): number | null {
  return sum === null || sum === part ? null : sum - (part ?? 0);
}
