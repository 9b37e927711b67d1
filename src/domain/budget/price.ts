import type { Cost, Usage } from "./usage.ts";

/** US dollars for a million tokens. Some models cost more, for all tokens of a request, above a size of its input. */
export type TokenPrice = number | { readonly base: number; readonly above: readonly PriceAbove[] };

export interface PriceAbove {
  readonly inputTokens: number;
  readonly price: number;
}

/** What a model costs. Input that was cached costs as much as other input unless it has a price of its own. */
export interface Price {
  readonly input?: TokenPrice;
  readonly output?: TokenPrice;
  readonly cachedInput?: TokenPrice;
  readonly cacheWrite?: TokenPrice;
  /** US dollars for each step, for engines that report no tokens. */
  readonly step?: number;
}

/**
 * Returns what a step cost by the price of its model. Unknown when tokens have a price and were not reported, unless a
 * step has a price, too.
 */
export function estimateCost(usage: Usage, price: Price): Cost {
  const { inputTokens, outputTokens } = usage;
  const perStep = price.step ?? 0;
  if (price.input === undefined && price.output === undefined) {
    return price.step === undefined ? { basis: "unknown" } : { basis: "estimated", usd: perStep };
  }
  if (inputTokens === null || outputTokens === null) {
    return price.step === undefined ? { basis: "unknown" } : { basis: "estimated", usd: perStep };
  }
  const cached = Math.min(usage.cachedInputTokens ?? 0, inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, inputTokens - cached);
  const input = price.input ?? 0;
  const perMillion =
    (inputTokens - cached - written) * at(input, inputTokens) +
    cached * at(price.cachedInput ?? input, inputTokens) +
    written * at(price.cacheWrite ?? input, inputTokens) +
    outputTokens * at(price.output ?? 0, inputTokens);
  return { basis: "estimated", usd: perStep + perMillion / 1_000_000 };
}

function at(price: TokenPrice, inputTokens: number): number {
  if (typeof price === "number") return price;
  return price.above.findLast((above) => inputTokens > above.inputTokens)?.price ?? price.base;
}

/** The prices that a project sets, by `provider/model`; `*` stands for any letters. The longest match counts. */
export function priceInTable(table: Readonly<Record<string, Price>>, model: string): Price | undefined {
  const exact = Object.hasOwn(table, model) ? table[model] : undefined;
  if (exact !== undefined) return exact;
  const patterns = Object.keys(table).toSorted((a, b) => b.length - a.length);
  const found = patterns.find((pattern) => pattern.includes("*") && isMatch(pattern, model));
  return found === undefined ? undefined : table[found];
}

function isMatch(pattern: string, model: string): boolean {
  return new RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`).test(model);
}
