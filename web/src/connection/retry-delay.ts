const SHORTEST_MS = 500;
const LONGEST_MS = 15_000;

/** How long to wait before the next attempt to connect. `chance` (0 to 1) keeps many pages from coming back at once. */
export function retryDelay(failures: number, chance: number): number {
  const most = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(failures, 10));
  return Math.round(most / 2 + (most / 2) * chance);
}
