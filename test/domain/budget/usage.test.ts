import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addTotals,
  NOTHING_USED,
  plausibleUsage,
  stepTotal,
  tokensOf,
  totalCost,
  UNKNOWN_USAGE,
  type Cost,
  type Usage,
} from "../../../src/domain/budget/usage.ts";
import { runs } from "../../property.ts";

const used = (given: Partial<Usage>): Usage => ({ ...UNKNOWN_USAGE, ...given });

const anyUsage: fc.Arbitrary<Usage> = fc.record({
  inputTokens: fc.option(fc.nat({ max: 500 })),
  outputTokens: fc.option(fc.nat({ max: 500 })),
  cachedInputTokens: fc.option(fc.nat({ max: 500 })),
  cacheWriteTokens: fc.option(fc.nat({ max: 500 })),
  reasoningTokens: fc.option(fc.nat({ max: 500 })),
  cost: fc.oneof(
    fc.constant<Cost>({ basis: "unknown" }),
    fc.record({ basis: fc.constantFrom("reported" as const, "estimated" as const), usd: fc.nat({ max: 8 }) }),
  ),
});

describe("the tokens of a step", () => {
  it.each([
    ["input and output", used({ inputTokens: 10, outputTokens: 5 }), 15, true],
    ["cached ones are part of the input", used({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 8 }), 15, true],
    [
      "cached ones an engine left out",
      used({ inputTokens: 1, outputTokens: 5, cachedInputTokens: 90, cacheWriteTokens: 9 }),
      104,
      true,
    ],
    ["thoughts an engine left out", used({ inputTokens: 1, outputTokens: 5, reasoningTokens: 50 }), 51, true],
    ["only what is known", used({ outputTokens: 5 }), 5, false],
    ["nothing known", UNKNOWN_USAGE, 0, false],
  ])("%s [budget.all-tokens]", (_what, usage, tokens, complete) => {
    expect(tokensOf(usage)).toEqual({ tokens, complete });
  });

  it("are unknown where an engine reports what cannot be", () => {
    const odd = used({
      inputTokens: -1,
      outputTokens: Number.NaN,
      reasoningTokens: 2.6,
      cost: { basis: "reported", usd: -3 },
    });
    expect(plausibleUsage(odd)).toEqual(used({ reasoningTokens: 3 }));
    expect(plausibleUsage(used({ cost: { basis: "estimated", usd: Infinity } })).cost).toEqual({ basis: "unknown" });
    const fine = used({ inputTokens: 0, cost: { basis: "estimated", usd: 0 } });
    expect(plausibleUsage(fine)).toEqual(fine);
  });
});

describe("a total", () => {
  const step = (usage: Usage, number = 2) => stepTotal({ number, usage, wallMs: 3 });

  it("counts a run with its first step", () => {
    expect([step(UNKNOWN_USAGE, 1), step(UNKNOWN_USAGE, 2)].reduce(addTotals)).toMatchObject({
      runs: 1,
      steps: 2,
      wallMs: 6,
    });
  });

  it("knows a class of tokens from the first step that says it", () => {
    const total = [step(UNKNOWN_USAGE), step(used({ inputTokens: 0 })), step(UNKNOWN_USAGE)].reduce(addTotals);
    expect(total).toMatchObject({ inputTokens: 0, outputTokens: null, unknownTokenSteps: 3 });
  });

  it.each([
    ["nothing", [], { basis: "reported", usd: 0 }],
    [
      "reported",
      [
        { basis: "reported", usd: 1 },
        { basis: "reported", usd: 2 },
      ],
      { basis: "reported", usd: 3 },
    ],
    [
      "partly estimated",
      [
        { basis: "reported", usd: 1 },
        { basis: "estimated", usd: 2 },
      ],
      { basis: "estimated", usd: 3 },
    ],
    ["partly unknown", [{ basis: "reported", usd: 1 }, { basis: "unknown" }], { basis: "unknown" }],
  ] satisfies [string, Cost[], Cost][])(
    "of cost is as good as its worst part: %s [budget.unknown-cost]",
    (_what, costs, expected) => {
      const total = costs.map((cost) => step(used({ cost }))).reduce(addTotals, NOTHING_USED);
      expect(totalCost(total)).toEqual(expected);
    },
  );

  it("does not depend on the order or grouping of its parts", () => {
    fc.assert(
      fc.property(fc.array(anyUsage, { maxLength: 12 }), fc.nat(), (usages, at) => {
        const steps = usages.map((usage, index) => step(usage, index + 1));
        const cut = at % (steps.length + 1);
        const halves = [steps.slice(0, cut), steps.slice(cut)].map((half) => half.reduce(addTotals, NOTHING_USED));
        const all = steps.reduce(addTotals, NOTHING_USED);
        expect(halves.reduce(addTotals)).toEqual(all);
        expect(steps.toReversed().reduce(addTotals, NOTHING_USED)).toEqual(all);
        expect(all.tokens).toBe(usages.reduce((sum, usage) => sum + tokensOf(usage).tokens, 0));
      }),
      runs(200),
    );
  });
});
