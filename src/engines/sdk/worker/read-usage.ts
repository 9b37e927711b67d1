import type { LanguageModelUsage, ProviderMetadata } from "ai";
import type { Cost, Usage } from "../../../ports/engine.ts";

/** Input counts everything sent, cached or not; output everything written, including reasoning. */
export function readUsage(usage: LanguageModelUsage, metadata: ProviderMetadata | undefined): Usage {
  const { inputTokenDetails, outputTokenDetails } = usage;
  return {
    inputTokens: usage.inputTokens ?? null,
    outputTokens: usage.outputTokens ?? null,
    cachedInputTokens: inputTokenDetails.cacheReadTokens ?? null,
    cacheWriteTokens: inputTokenDetails.cacheWriteTokens ?? null,
    reasoningTokens: outputTokenDetails.reasoningTokens ?? null,
    cost: readCost(metadata),
  };
}

/** No model was called. */
export const NOTHING_USED: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  cost: { basis: "reported", usd: 0 },
};

/** Only the gateway reports the cost of a call. */
function readCost(metadata: ProviderMetadata | undefined): Cost {
  const cost = metadata?.gateway?.cost;
  const usd = typeof cost === "string" || typeof cost === "number" ? Number(cost) : Number.NaN;
  return Number.isFinite(usd) ? { basis: "reported", usd } : { basis: "unknown" };
}
