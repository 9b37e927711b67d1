import type { Budget } from "../agent/definition.ts";
import { formatDuration } from "../schedule/duration.ts";
import { knownUsd, type UsageTotal } from "./usage.ts";

/**
 * Checks the budget before every run and every further step. The usage of a step is known only afterwards, so a budget
 * may be exceeded by the steps that were running when it was reached; nothing starts after that. Tokens that an engine
 * does not report are not counted; the number of turns is always known. A limit of cost ends the work after the first
 * step whose cost is unknown: it could not be kept.
 *
 * | budget of | counts | limits |
 * |---|---|---|
 * | an agent | its UTC day, everywhere | turns, tokens, cost |
 * | an agent | each of its runs | tokens, cost, wall time |
 * | a workflow | its workspace, since it was opened | turns, tokens, cost, wall time |
 *
 * Chains of messages have separate budgets: `domain/causal/budget.ts`.
 */
export type Scope = "agent-day" | "run" | "workspace";

const LIMITS: Readonly<Record<Scope, readonly (keyof Budget)[]>> = {
  "agent-day": ["turns", "tokens", "costUsd"],
  run: ["tokens", "costUsd", "wallTimeMs"],
  workspace: ["turns", "tokens", "costUsd", "wallTimeMs"],
};

/** False: the budget has no limit for this scope, and usage need not be read. */
export function isLimited(budget: Budget | undefined, scope: Scope): budget is Budget {
  return budget !== undefined && LIMITS[scope].some((limit) => budget[limit] !== undefined);
}

/** Returns the reached limit in words ("100000 tokens"); null when the next run or step may start. */
export function reachedLimit(
  budget: Budget,
  scope: Scope,
  spent: UsageTotal,
  /** A step does not count as a turn, because its run already did. */
  next: "run" | "step",
): string | null {
  const reached = LIMITS[scope].find((limit) => {
    const maximum = budget[limit];
    if (maximum === undefined || (limit === "turns" && next === "step")) return false;
    return spentOf(spent, limit) >= maximum;
  });
  if (reached === undefined) return null;
  const maximum = budget[reached] ?? 0;
  if (reached === "costUsd" && knownUsd(spent) < maximum) return costUnknown(maximum, spent);
  return inWords(reached, maximum);
}

function spentOf(spent: UsageTotal, limit: keyof Budget): number {
  switch (limit) {
    case "turns":
      return spent.runs;
    case "tokens":
      return spent.tokens;
    case "costUsd":
      return spent.unknownCostSteps > 0 ? Number.POSITIVE_INFINITY : knownUsd(spent);
    case "wallTimeMs":
      return spent.wallMs;
    case "hops":
      return 0;
  }
}

function costUnknown(maximum: number, { unknownTokenSteps }: UsageTotal): string {
  const advice =
    unknownTokenSteps > 0
      ? 'no tokens were reported: set what one step costs, "step" under "prices" in the project file'
      : 'set it under "prices" in the project file';
  return `$${maximum} cannot be kept, because the cost of its model is not known (${advice})`;
}

function inWords(limit: keyof Budget, maximum: number): string {
  if (limit === "costUsd") return `$${maximum}`;
  if (limit === "wallTimeMs") return `${formatDuration(maximum)} of work`;
  return `${maximum} ${maximum === 1 ? limit.replace(/s$/, "") : limit}`;
}
