import { getRandomValues } from "node:crypto";

/** A source of randomness: a number in [0, 1). Injected, so that a seed replays a history. */
export type Random = () => number;

const pool = new Uint32Array(256);
let left = 0;

/** Unpredictable; good enough for ids and jitter. Secrets are made with `node:crypto` directly. */
export const systemRandom: Random = () => {
  if (left === 0) {
    getRandomValues(pool);
    left = pool.length;
  }
  left -= 1;
  return (pool[left] as number) / 0x1_0000_0000;
};

/** A small deterministic generator (mulberry32): one seed, one sequence, on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
