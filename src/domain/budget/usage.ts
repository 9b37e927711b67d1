/**
 * What steps use: tokens by class, money, time. An engine says what it knows; what it does not say is unknown and stays
 * unknown through every sum. Unknown is never 0: a total is then "at least", and says for how many steps.
 */

/**
 * Of one step; null where the engine does not say. Input counts everything that was sent, cached or not; output
 * everything that was written, reasoning included.
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

/** What an engine cannot have meant (less than nothing, no number) is unknown: it must not spoil a sum. */
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

/** The tokens a budget is charged: all that are known of, each once. */
export function tokensOf(usage: Usage): { readonly tokens: number; readonly complete: boolean } {
  // An engine that does not count what was cached as input, or what was thought as output, is not believed.
  const input = Math.max(usage.inputTokens ?? 0, (usage.cachedInputTokens ?? 0) + (usage.cacheWriteTokens ?? 0));
  const output = Math.max(usage.outputTokens ?? 0, usage.reasoningTokens ?? 0);
  return { tokens: input + output, complete: usage.inputTokens !== null && usage.outputTokens !== null };
}

/** The use of any number of steps. */
export interface UsageTotal {
  readonly runs: number;
  readonly steps: number;
  /** Time spent in steps. Waiting for people, for a retry or for more urgent work costs none. */
  readonly wallMs: number;
  /** What is known; `unknownTokenSteps` steps did not say all of theirs. */
  readonly tokens: number;
  readonly unknownTokenSteps: number;
  /** By class; null when no step said. */
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

/** A run counts with its first step. */
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

/** What is known to have been spent, whoever says so. */
export function knownUsd({ reportedUsd, estimatedUsd }: UsageTotal): number {
  return reportedUsd + estimatedUsd;
}

/** A sum is as good as the worst of what went into it. */
export function totalCost(total: UsageTotal): Cost {
  if (total.unknownCostSteps > 0) return { basis: "unknown" };
  return { basis: total.estimatedUsd > 0 ? "estimated" : "reported", usd: knownUsd(total) };
}

function addKnown(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
