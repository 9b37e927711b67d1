import type { UsageFigures } from "../../contract/service/work-request.ts";
import { totalCost, type UsageTotal } from "../../domain/budget/usage.ts";

export function figuresOf(used: UsageTotal): UsageFigures {
  if (used.steps === 0) return { inputTokens: 0, outputTokens: 0, costUsd: 0, costEstimated: false };
  const cost = totalCost(used);
  return {
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    costUsd: cost.basis === "unknown" ? null : cost.usd,
    costEstimated: cost.basis === "estimated",
  };
}
