import type { GuardSettings } from "../agent/guard-settings.ts";

/** What the guard asks a model for. The settings of the same names switch each of them. */
export const GUARD_PURPOSES = ["validate", "select", "summarise", "consolidate", "rerank"] as const;
export type GuardPurpose = (typeof GUARD_PURPOSES)[number];

/** Whether the guard asks its model for this. */
export function asksFor(settings: GuardSettings, purpose: GuardPurpose): boolean {
  return settings.model !== undefined && (settings[purpose] ?? purpose !== "rerank");
}
