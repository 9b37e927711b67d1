import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLimited, reachedLimit, type Scope } from "../../../src/domain/budget/allowance.ts";
import { utcDay } from "../../../src/domain/budget/day.ts";
import {
  addTotals,
  knownUsd,
  NOTHING_USED,
  stepTotal,
  UNKNOWN_USAGE,
  type Usage,
  type UsageTotal,
} from "../../../src/domain/budget/usage.ts";
import { runs } from "../../property.ts";

const NOT_KEPT =
  '$2.5 cannot be kept, because the cost of its model is not known (set it under "prices" in the project file)';
const spent = (given: Partial<UsageTotal>): UsageTotal => ({ ...NOTHING_USED, ...given });

describe("reachedLimit", () => {
  const all = { turns: 3, tokens: 100, costUsd: 2.5, wallTimeMs: 90_000, hops: 1 };
  const everything = { runs: 99, tokens: 999, reportedUsd: 9, wallMs: 999_999 };

  /** What reaches which limit, by scope; null where the scope has no such limit. */
  const table: [Partial<UsageTotal>, Record<Scope, string | null>][] = [
    [{ runs: 3 }, { "agent-day": "3 turns", run: null, workspace: "3 turns" }],
    [{ tokens: 100 }, { "agent-day": "100 tokens", run: "100 tokens", workspace: "100 tokens" }],
    [
      { reportedUsd: 1, estimatedUsd: 1.5 },
      { "agent-day": "$2.5", run: "$2.5", workspace: "$2.5" },
    ],
    [{ wallMs: 90_000 }, { "agent-day": null, run: "1m30s of work", workspace: "1m30s of work" }],
    [
      { runs: 2, tokens: 99, reportedUsd: 2.49, wallMs: 89_999 },
      { "agent-day": null, run: null, workspace: null },
    ],
    [{ unknownTokenSteps: 50 }, { "agent-day": null, run: null, workspace: null }],
    [{ unknownCostSteps: 1 }, { "agent-day": NOT_KEPT, run: NOT_KEPT, workspace: NOT_KEPT }],
    [
      { unknownCostSteps: 1, reportedUsd: 3 },
      { "agent-day": "$2.5", run: "$2.5", workspace: "$2.5" },
    ],
  ];

  it.each(table)("%o before a run [budget.agent] [budget.workflow]", (used, expected) => {
    for (const scope of ["agent-day", "run", "workspace"] as const) {
      expect([scope, reachedLimit(all, scope, spent(used), "run")]).toEqual([scope, expected[scope]]);
    }
  });

  it("asks for no turn before a further step: its run has one", () => {
    expect(reachedLimit({ turns: 1 }, "workspace", spent({ runs: 5 }), "step")).toBeNull();
    expect(reachedLimit({ turns: 1, tokens: 5 }, "workspace", spent({ runs: 5, tokens: 5 }), "step")).toBe("5 tokens");
  });

  it("limits nothing a budget does not name", () => {
    expect(reachedLimit({}, "workspace", spent(everything), "run")).toBeNull();
    expect(isLimited(undefined, "run")).toBe(false);
    expect(isLimited({ hops: 3 }, "workspace")).toBe(false);
    expect(isLimited({ turns: 3 }, "run")).toBe(false);
    expect(isLimited({ wallTimeMs: 1 }, "agent-day")).toBe(false);
    expect(isLimited({ costUsd: 1 }, "agent-day")).toBe(true);
  });

  const usage: fc.Arbitrary<Usage> = fc.record({
    ...Object.fromEntries(Object.keys(UNKNOWN_USAGE).map((key) => [key, fc.constant(null)])),
    inputTokens: fc.option(fc.nat({ max: 60 })),
    outputTokens: fc.option(fc.nat({ max: 60 })),
    cost: fc.oneof(
      fc.constant({ basis: "unknown" as const }),
      fc.record({ basis: fc.constant("reported" as const), usd: fc.nat({ max: 3 }) }),
    ),
  }) as fc.Arbitrary<Usage>;
  const step = fc.record({ usage, wallMs: fc.nat({ max: 20 }), opens: fc.boolean() });
  const budget = fc.record(
    {
      turns: fc.integer({ min: 1, max: 6 }),
      tokens: fc.integer({ min: 1, max: 300 }),
      costUsd: fc.integer({ min: 1, max: 10 }),
      wallTimeMs: fc.integer({ min: 1, max: 80 }),
    },
    { requiredKeys: ["turns"] },
  );

  it("is never passed by more than one step, and turns bound what is unknown [budget.agent] [budget.workflow]", () => {
    fc.assert(
      fc.property(budget, fc.array(step, { maxLength: 60 }), (limits, steps) => {
        let total = NOTHING_USED;
        let running = false;
        for (const { opens, ...each } of steps) {
          running &&= !opens;
          if (reachedLimit(limits, "workspace", total, running ? "step" : "run") !== null) {
            running = false;
            continue;
          }
          const before = total;
          total = addTotals(total, stepTotal({ ...each, number: running ? 2 : 1 }));
          running = true;
          expect(before.tokens).toBeLessThan(limits.tokens ?? Infinity);
          expect(before.wallMs).toBeLessThan(limits.wallTimeMs ?? Infinity);
          expect(knownUsd(before)).toBeLessThan(limits.costUsd ?? Infinity);
        }
        expect(total.runs).toBeLessThanOrEqual(limits.turns);
      }),
      runs(300),
    );
  });

  it("is passed by at most the steps under way, when several agents share it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(fc.nat({ max: 3 }), { maxLength: 80 }), (limit, moves) => {
        let tokens = 0;
        const underWay = [0, 0, 0, 0];
        for (const agent of moves) {
          if (underWay[agent] !== 0) {
            tokens += underWay[agent] ?? 0;
            underWay[agent] = 0;
          } else if (reachedLimit({ tokens: limit }, "workspace", spent({ tokens }), "step") === null) {
            underWay[agent] = 50;
          }
        }
        expect(tokens + underWay.reduce((sum, each) => sum + each)).toBeLessThan(limit + 4 * 50);
      }),
      runs(200),
    );
  });
});

describe("utcDay", () => {
  it("changes at midnight in UTC, whatever the time zone of the machine", () => {
    expect(utcDay(Date.UTC(2026, 0, 31, 23, 59, 59, 999))).toBe("2026-01-31");
    expect(utcDay(Date.UTC(2026, 1, 1))).toBe("2026-02-01");
  });
});
