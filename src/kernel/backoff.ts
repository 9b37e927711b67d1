import type { Random } from "./random.ts";

/**
 * Exponential backoff with full jitter: a random delay between 0 and a window that doubles with each attempt, up to the
 * cap. The random delay keeps many clients from retrying at once.
 */
export function fullJitter(options: {
  /** Attempts before this one: 0 for the first wait. */
  readonly attempt: number;
  readonly baseMs: number;
  readonly capMs: number;
  readonly random: Random;
}): number {
  const window = Math.min(options.capMs, options.baseMs * 2 ** Math.min(options.attempt, 60));
  return Math.floor(options.random() * window);
}
