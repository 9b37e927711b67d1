import { seededRandom, type Random } from "../../src/kernel/random.ts";

/**
 * Chance that can be made to fail: then the next new id, which is in the middle of most transactions, is an error. Ids
 * draw chance once in a millisecond, so the clock has to move first.
 */
export function failingRandom(): Random & { failing: boolean } {
  const random = seededRandom(1);
  const source = Object.assign(
    (): number => {
      if (source.failing) throw new Error("no more chance");
      return random();
    },
    { failing: false },
  );
  return source;
}
