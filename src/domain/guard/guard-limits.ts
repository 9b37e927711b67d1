import type { GuardBudget, GuardSettings } from "../agent/guard-settings.ts";

const DEFAULTS: Required<Omit<GuardBudget, "promptTokens">> = {
  answerTokens: 1000,
  timeMs: 20_000,
  tokensPerDay: 200_000,
};

/** Returns the limits of questions to the guard's model. */
export function guardLimits({ budget = {} }: GuardSettings): typeof DEFAULTS {
  const { promptTokens: _, ...limits } = budget;
  return { ...DEFAULTS, ...limits };
}
