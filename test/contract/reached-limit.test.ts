import { describe, expect, it } from "vitest";
import { reachedLimitIn } from "../../src/contract/text/reached-limit.ts";
import type { Budget } from "../../src/domain/agent/definition.ts";
import { reachedLimit } from "../../src/domain/budget/allowance.ts";
import { NOTHING_USED } from "../../src/domain/budget/usage.ts";
import { chargeMessage, chargeTurn, DEFAULT_LIMITS, newTree } from "../../src/domain/causal/budget.ts";

const ALL = { ...NOTHING_USED, runs: 1e9, tokens: 1e9, wallMs: 1e12, reportedUsd: 1e9 };

describe("[budget.raise] the limit that a reason names", () => {
  it.each<readonly [Budget, string, string | number]>([
    [{ turns: 1 }, "turns", 1],
    [{ turns: 20 }, "turns", 20],
    [{ tokens: 100_000 }, "tokens", 100_000],
    [{ costUsd: 0.5 }, "dollars", 0.5],
    [{ wallTimeMs: 90_000 }, "time", "1m30s"],
    [{ wallTimeMs: 1_800_000 }, "time", "30m"],
  ])("of a budget %o", (budget, name, maximum) => {
    const scope = "wallTimeMs" in budget ? "workspace" : "agent-day";
    const words = reachedLimit(budget, scope, ALL, "run");
    const reasons = {
      agent: [
        `The budget of alice for 2026-01-31 (UTC) is used up: ${words}.`,
        `The budget of alice for one run is used up: ${words}.`,
      ],
      workspace: [
        `The budget of @review is used up: ${words}.`,
        `The budget of @review:pr-1 is used up: ${words}. Raise it.`,
      ],
    };
    for (const of of ["agent", "workspace"] as const) {
      for (const reason of reasons[of]) expect(reachedLimitIn(reason), reason).toEqual({ of, name, maximum });
    }
  });

  it("of a chain", () => {
    const hops = chargeMessage(newTree("m"), { depth: 65, at: 0 }, DEFAULT_LIMITS).tripped?.reason ?? "";
    expect(reachedLimitIn(hops)).toEqual({ of: "chain", name: "hops", maximum: 64 });
    const turns = chargeTurn({ ...newTree("m"), turns: 1 }, 0, { ...DEFAULT_LIMITS, turns: 1 }).tripped?.reason ?? "";
    expect(reachedLimitIn(`${turns} Go on with: agent-worker send @review "go on"`)).toEqual({
      of: "chain",
      name: "turns",
      maximum: 1,
    });
  });

  it("is none where raising a number does not help", () => {
    const words = reachedLimit({ costUsd: 1 }, "agent-day", { ...NOTHING_USED, runs: 1, unknownCostSteps: 1 }, "run");
    expect(reachedLimitIn(`The budget of alice for one run is used up: ${words}.`)).toBeUndefined();
    expect(reachedLimitIn("The model shiny-9 does not exist.")).toBeUndefined();
  });
});
