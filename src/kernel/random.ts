import { getRandomValues } from "node:crypto";

/** Returns a number in [0, 1). Injected, so that a seed reproduces a test. */
export type Random = () => number;

const pool = new Uint32Array(256);
let left = 0;

/** For ids and jitter. Secrets are made with `node:crypto` directly. */
export const systemRandom: Random = () => {
  if (left === 0) {
    getRandomValues(pool);
    left = pool.length;
  }
  left -= 1;
  return (pool[left] as number) / 0x1_0000_0000;
};

/** Deterministic (mulberry32): a seed gives the same sequence on every machine. */
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
