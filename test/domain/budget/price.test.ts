import { describe, expect, it } from "vitest";
import { modelWithoutCost } from "../../../src/domain/budget/known-cost.ts";
import { estimateCost, priceInTable, type Price } from "../../../src/domain/budget/price.ts";
import { UNKNOWN_USAGE, type Usage } from "../../../src/domain/budget/usage.ts";

const MILLION = 1_000_000;
const used = (tokens: Partial<Usage>): Usage => ({ ...UNKNOWN_USAGE, ...tokens });
const both = { inputTokens: MILLION, outputTokens: MILLION };

describe("the cost of a step by its price [money.estimated]", () => {
  const table: [string, Usage, Price, number | null][] = [
    ["input and output", used(both), { input: 3, output: 15 }, 18],
    ["cached input is cheaper", used({ ...both, cachedInputTokens: MILLION }), { input: 3, cachedInput: 1 }, 1],
    ["cached input without a price of its own", used({ ...both, cachedInputTokens: MILLION }), { input: 3 }, 3],
    [
      "input that is written to the cache",
      used({ ...both, cacheWriteTokens: MILLION / 2 }),
      { input: 2, cacheWrite: 4 },
      3,
    ],
    [
      "a large request costs more",
      used(both),
      { input: { base: 1, above: [{ inputTokens: 200_000, price: 2 }] }, output: 0 },
      2,
    ],
    ["a price for each step", UNKNOWN_USAGE, { step: 0.05 }, 0.05],
    ["tokens that were not reported", used({ inputTokens: 5 }), { input: 3, output: 15 }, null],
    ["no price at all", used(both), {}, null],
  ];

  it.each(table)("%s", (_, usage, price, usd) => {
    const cost = estimateCost(usage, price);
    expect(cost).toEqual(usd === null ? { basis: "unknown" } : { basis: "estimated", usd });
  });
});

it("a price in the project file is found by its exact name, then by the longest pattern [money.prices]", () => {
  const table = { "a/b": { step: 1 }, "a/*": { step: 2 }, "*": { step: 3 } };
  expect(["a/b", "a/c", "c/d"].map((model) => priceInTable(table, model)?.step)).toEqual([1, 2, 3]);
  expect(priceInTable({ "a.b/*": { step: 1 } }, "axb/c")).toBeUndefined();
});

it("only models that nobody has a price for have an unknown cost [money.unknown-budget]", () => {
  const priced = (model: string): boolean => model === "anthropic/known" || model === "codex/known";
  const of = (settings: Parameters<typeof modelWithoutCost>[0]) => modelWithoutCost(settings, priced);
  expect(of({ model: "anthropic/known" })).toBeUndefined();
  expect(of({ model: "known", provider: { name: "anthropic" } })).toBeUndefined();
  expect(of({ model: "anthropic/known", fallbackModels: ["anthropic/other"] })).toBe("anthropic/other");
  expect(of({ model: "auto" })).toBeUndefined();
  expect(of({ backend: "claude", model: "other" })).toBeUndefined();
  expect(of({ backend: "codex", model: "openai/known" })).toBeUndefined();
  expect(of({ backend: "cursor" })).toBe("cursor/default");
});
