import type { UsageView } from "../../../src/contract/usage.ts";

/** Usage in words. An unknown value is never shown as 0. */
export function tokenText({ input, output }: UsageView["tokens"]): string {
  return input === null && output === null ? "unknown" : `${count(input)} in, ${count(output)} out`;
}

export function costText({ basis, usd, knownUsd }: UsageView["cost"]): string {
  if (usd === null) return knownUsd > 0 ? `at least ${dollars(knownUsd)}` : "unknown";
  return basis === "estimated" ? `${dollars(usd)} estimated` : dollars(usd);
}

/** Before its first step is finished nobody knows what a run uses. */
export function runCostText({ steps, cost }: Pick<UsageView, "steps" | "cost">): string {
  return steps === 0 ? "unknown" : costText(cost);
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(kilobytes < 10 ? 1 : 0)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

export function countOf(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

function count(tokens: number | null): string {
  return tokens === null ? "unknown" : tokens.toLocaleString("en");
}

/** Small amounts get more digits: less than a cent is not nothing. */
function dollars(usd: number): string {
  return usd > 0 && usd < 0.0001 ? "under $0.0001" : `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}
