import type { Parameters } from "fast-check";

/**
 * How often a property runs. `n` is what the ordinary suite affords; `FC_RUNS` replaces it for a campaign, up to
 * `atMost`, which is for properties whose every case starts a process. `FC_SEED` replays a reported failure; without it
 * fast-check draws a seed and prints it when the property fails.
 */
export function runs(n: number, atMost = Infinity): Parameters<unknown> {
  const numRuns = Math.min(integerFrom("FC_RUNS") ?? n, atMost);
  const seed = integerFrom("FC_SEED");
  return seed === undefined ? { numRuns } : { numRuns, seed };
}

function integerFrom(name: "FC_RUNS" | "FC_SEED"): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number, not "${text}"`);
  return value;
}
