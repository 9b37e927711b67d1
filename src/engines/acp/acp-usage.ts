import { z } from "zod";
import { UNKNOWN_USAGE, type Cost, type Usage } from "../../domain/budget/usage.ts";

/** Some agents add this to the end of a turn. Each token is counted in one class only. */
const schema = z.object({
  usage: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedReadTokens: z.number().nullish(),
    cachedWriteTokens: z.number().nullish(),
    thoughtTokens: z.number().nullish(),
  }),
});

export function acpUsage(response: unknown, cost: Cost): Usage {
  const usage = schema.safeParse(response).data?.usage;
  if (usage === undefined) return { ...UNKNOWN_USAGE, cost };
  const { inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens, thoughtTokens } = usage;
  return {
    inputTokens: inputTokens + (cachedReadTokens ?? 0) + (cachedWriteTokens ?? 0),
    outputTokens: outputTokens + (thoughtTokens ?? 0),
    cachedInputTokens: cachedReadTokens ?? null,
    cacheWriteTokens: cachedWriteTokens ?? null,
    reasoningTokens: thoughtTokens ?? null,
    cost,
  };
}
