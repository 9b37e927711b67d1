import type { UsageView } from "../../contract/usage.ts";
import { knownUsd, totalCost, type UsageTotal } from "../../domain/budget/usage.ts";

export function toUsageView(total: UsageTotal): UsageView {
  const cost = totalCost(total);
  return {
    runs: total.runs,
    steps: total.steps,
    wallTimeMs: total.wallMs,
    tokens: {
      total: total.tokens,
      input: total.inputTokens,
      output: total.outputTokens,
      cachedInput: total.cachedInputTokens,
      cacheWrite: total.cacheWriteTokens,
      reasoning: total.reasoningTokens,
      unknownSteps: total.unknownTokenSteps,
    },
    cost: {
      basis: cost.basis,
      usd: cost.basis === "unknown" ? null : cost.usd,
      knownUsd: knownUsd(total),
      unknownSteps: total.unknownCostSteps,
    },
  };
}
