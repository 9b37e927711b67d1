import type { Parameters } from "fast-check";

/**
 * How often a property runs, and from which seed. The ordinary suite gives the same verdict every time: `n` cases from
 * one fixed seed. A campaign looks further: `FC_RUNS` replaces the count, up to `atMost`, which is for properties whose
 * every case starts a process, and `FC_SEED` the seed, which it prints.
 */
const ORDINARY_SEED = 20_260_214;

export function runs(n: number, atMost = Infinity): Parameters<unknown> {
  return {
    numRuns: Math.min(integerFrom("FC_RUNS") ?? n, atMost),
    seed: integerFrom("FC_SEED") ?? ORDINARY_SEED,
  };
}

function integerFrom(name: "FC_RUNS" | "FC_SEED"): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number, not "${text}"`);
  return value;
}
