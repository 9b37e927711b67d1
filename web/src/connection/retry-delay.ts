const MIN_MS = 500;
const MAX_MS = 15_000;

/** Returns the wait before the next attempt to connect. `jitter` (0 to 1) spreads the attempts of many pages. */
export function retryDelay(failures: number, jitter: number): number {
  const longest = Math.min(MAX_MS, MIN_MS * 2 ** Math.min(failures, 10));
  return Math.round(longest / 2 + (longest / 2) * jitter);
}
