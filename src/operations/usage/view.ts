import type { GuardUsageView, GuardUseView, UsageView } from "../../contract/usage.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { GuardUsage, GuardUse } from "../../ports/store/guard-use.ts";
import { knownUsd, totalCost, type UsageTotal } from "../../domain/budget/usage.ts";

export function toGuardUseView(use: GuardUse): GuardUseView {
  const { purpose, model, outcome, reason, wallMs, inputTokens, outputTokens, usd } = use;
  return { purpose, model, outcome, reason, wallTimeMs: wallMs, inputTokens, outputTokens, cost: { usd } };
}

export function toGuardUsageView({ wallMs, knownUsd: usd, unknownCosts, ...usage }: GuardUsage): GuardUsageView {
  const cost = { usd: unknownCosts > 0 ? null : usd, knownUsd: usd };
  return { ...usage, agent: mailboxAgent(usage.mailbox), wallTimeMs: wallMs, cost };
}

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
