import { z } from "zod";

/** Usage as every face shows it. Unknown is null, or counted as unknown; it is never 0. */
const tokens = z.int().nullable();

export const usageView = z.object({
  runs: z.int(),
  steps: z.int(),
  /** Time spent in steps. */
  wallTimeMs: z.int(),
  tokens: z.object({
    /** What is known of: at least this many, when `unknownSteps` is not 0. */
    total: z.int(),
    /** Everything that was sent, cached or not. */
    input: tokens,
    /** Everything that was written, reasoning included. */
    output: tokens,
    cachedInput: tokens,
    cacheWrite: tokens,
    reasoning: tokens,
    unknownSteps: z.int(),
  }),
  cost: z.object({
    /** Reported by the provider, estimated (at least in part), or not known (at least in part). */
    basis: z.enum(["reported", "estimated", "unknown"]),
    /** Null when it is not known. */
    usd: z.number().nullable(),
    /** The part that is known. */
    knownUsd: z.number(),
    unknownSteps: z.int(),
  }),
});
export type UsageView = z.output<typeof usageView>;
