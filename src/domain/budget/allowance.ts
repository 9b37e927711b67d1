import type { Budget } from "../agent/definition.ts";
import { formatDuration } from "../schedule/duration.ts";
import { knownUsd, type UsageTotal } from "./usage.ts";

/**
 * Whether there is anything left to spend, asked before every run and before every further step of one. What a step
 * will use is not known before it is done, so the last one may go past the limit: a budget is exceeded by at most the
 * steps that were under way when it was reached, and nothing starts after that. What engines do not report cannot be
 * counted; then the number of turns, which is always known, is what stops.
 *
 * | budget of | counts | limits |
 * |---|---|---|
 * | an agent | its UTC day, everywhere | turns, tokens, cost |
 * | an agent | each of its runs | tokens, cost, wall time |
 * | a workflow | its workspace, since it was opened | turns, tokens, cost, wall time |
 *
 * The chains of messages have budgets of their own: `domain/causal/budget.ts`.
 */
export type Scope = "agent-day" | "run" | "workspace";

const LIMITS: Readonly<Record<Scope, readonly (keyof Budget)[]>> = {
  "agent-day": ["turns", "tokens", "costUsd"],
  run: ["tokens", "costUsd", "wallTimeMs"],
  workspace: ["turns", "tokens", "costUsd", "wallTimeMs"],
};

/** False: the budget sets no limit here, and nothing has to be looked up. */
export function isLimited(budget: Budget | undefined, scope: Scope): budget is Budget {
  return budget !== undefined && LIMITS[scope].some((limit) => budget[limit] !== undefined);
}

/** The limit that is reached, in words ("100000 tokens"); null when what is ahead may start. */
export function reachedLimit(
  budget: Budget,
  scope: Scope,
  spent: UsageTotal,
  /** A further step of a run needs no turn: its run has one. */
  ahead: "run" | "step",
): string | null {
  const reached = LIMITS[scope].find((limit) => {
    const most = budget[limit];
    if (most === undefined || (limit === "turns" && ahead === "step")) return false;
    return spentOf(spent, limit) >= most;
  });
  return reached === undefined ? null : inWords(reached, budget[reached] ?? 0);
}

function spentOf(spent: UsageTotal, limit: keyof Budget): number {
  switch (limit) {
    case "turns":
      return spent.runs;
    case "tokens":
      return spent.tokens;
    case "costUsd":
      return knownUsd(spent);
    case "wallTimeMs":
      return spent.wallMs;
    case "hops":
      return 0;
  }
}

function inWords(limit: keyof Budget, most: number): string {
  if (limit === "costUsd") return `$${most}`;
  return limit === "wallTimeMs" ? `${formatDuration(most)} of work` : `${most} ${limit}`;
}
