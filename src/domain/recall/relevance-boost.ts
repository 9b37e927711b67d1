/** What a text is ranked by besides its words. */
export interface TextFacts {
  readonly kind: "memory" | "note" | "conversation";
  readonly tier: "core" | "working" | "archive";
  readonly outside: boolean;
  readonly at: number | null;
  /** Since when another text replaces it. */
  readonly validUntil?: string | undefined;
}

const DAY_MS = 86_400_000;
const HALF_LIFE_DAYS = 30;
const NEWEST = 0.15;
const KIND = { memory: 0.15, note: 0.05, conversation: 0 } as const;
const TIER = { core: 0.1, working: 0.05, archive: 0 } as const;
const OUTSIDE = -0.05;
const REPLACED = -0.25;

/**
 * Returns a factor for the score of a text. It is small: a text about something else never ranks above one that matches
 * the query, but of two that match, the newer, more important and trusted one comes first, and the
 * one that is still true.
 */
export function relevanceBoost({ kind, tier, outside, at, validUntil }: TextFacts, now: number): number {
  const days = at === null ? HALF_LIFE_DAYS : Math.max(0, now - at) / DAY_MS;
  const fresh = NEWEST * 2 ** (-days / HALF_LIFE_DAYS);
  return 1 + fresh + KIND[kind] + TIER[tier] + (outside ? OUTSIDE : 0) + (validUntil === undefined ? 0 : REPLACED);
}
