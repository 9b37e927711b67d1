/**
 * Lanes order an agent's work. Immediate: direct messages and mentions. Normal: a direct send into a workspace.
 * Background: schedules and notices. Smaller is more urgent; the numbers are stored, so they never change meaning.
 */
export const LANES = ["immediate", "normal", "background"] as const;
export type Lane = (typeof LANES)[number];

const RANKS: Readonly<Record<Lane, number>> = { immediate: 0, normal: 1, background: 2 };

export function laneRank(lane: Lane): number {
  return RANKS[lane];
}

/** Negative when `a` is more urgent. */
export function compareLanes(a: Lane, b: Lane): number {
  return laneRank(a) - laneRank(b);
}
