import type { UsageView } from "../../contract/usage.ts";

/** Usage as text. An unknown figure is never shown as 0. */
export function tokenText(tokens: number | null): string {
  return tokens === null ? "unknown" : tokens.toLocaleString("en");
}

export function costText({ basis, usd, knownUsd }: UsageView["cost"]): string {
  if (usd === null) return knownUsd > 0 ? `at least $${knownUsd.toFixed(2)}` : "unknown";
  return `${basis === "estimated" ? "about " : ""}$${usd.toFixed(2)}`;
}
