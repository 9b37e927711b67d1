import type { UsageView } from "../../contract/usage.ts";

/** Usage as text. An unknown figure is never shown as 0. */
export function tokenText(tokens: number | null): string {
  return tokens === null ? "unknown" : tokens.toLocaleString("en");
}

export function costText({ basis, usd, knownUsd }: UsageView["cost"]): string {
  if (usd === null) return knownUsd > 0 ? `at least ${dollars(knownUsd)}` : "unknown";
  return moneyText(usd, basis === "estimated");
}

export function moneyText(usd: number, estimated: boolean): string {
  return estimated ? `${dollars(usd)} estimated` : dollars(usd);
}

/** What a model of the guard cost is always an estimate. */
export function guardCostText({ usd, knownUsd = 0 }: { readonly usd: number | null; readonly knownUsd?: number }) {
  return costText({ basis: "estimated", usd, knownUsd, unknownSteps: 0 });
}

/** Small amounts get more digits: less than a cent is not nothing. */
function dollars(usd: number): string {
  return usd > 0 && usd < 0.0001 ? "under $0.0001" : `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}
