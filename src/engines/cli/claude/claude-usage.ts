import { plausibleUsage, UNKNOWN_USAGE, type Usage } from "../../../domain/budget/usage.ts";
import type { ClaudeModelUsage, ClaudeResult } from "./claude-events.ts";

/**
 * Returns the usage of one turn. Current versions count by model since the last result, subagents included. Older ones
 * count the tokens of the turn but the cost of the whole session, so the cost of a resumed session is unknown.
 */
export function claudeUsage(result: ClaudeResult, isResumed: boolean): Usage {
  const models = Object.values(result.model_usage_since_last_result ?? {});
  if (models.length > 0) return ofModels(models);
  const { usage, total_cost_usd: usd } = result;
  if (usage === null || usage === undefined) return UNKNOWN_USAGE;
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  return plausibleUsage({
    inputTokens: usage.input_tokens + cached + written,
    outputTokens: usage.output_tokens,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: usage.output_tokens_details?.thinking_tokens ?? null,
    cost: isResumed || typeof usd !== "number" ? { basis: "unknown" } : { basis: "reported", usd },
  });
}

function ofModels(models: readonly ClaudeModelUsage[]): Usage {
  const sum = (count: (one: ClaudeModelUsage) => number | undefined): number =>
    models.reduce((total, one) => total + (count(one) ?? 0), 0);
  const cached = sum((one) => one.cacheReadInputTokens);
  const written = sum((one) => one.cacheCreationInputTokens);
  const isPriced = models.every((one) => one.costUSD !== undefined);
  return plausibleUsage({
    inputTokens: sum((one) => one.inputTokens) + cached + written,
    outputTokens: sum((one) => one.outputTokens),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: models.some((one) => one.thinkingTokens === undefined) ? null : sum((one) => one.thinkingTokens),
    cost: isPriced ? { basis: "reported", usd: sum((one) => one.costUSD) } : { basis: "unknown" },
  });
}
