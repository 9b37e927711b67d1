import type { Random } from "../../../src/kernel/random.ts";

/** Ways to ask a seeded source: everything a simulation decides goes through here. */
export interface Chance {
  /** True with this probability. */
  is(probability: number): boolean;
  /** A whole number below `bound`. */
  below(bound: number): number;
  one<T>(options: readonly T[]): T;
}

export function createChance(random: Random): Chance {
  const below = (bound: number): number => Math.floor(random() * bound);
  return {
    is: (probability) => random() < probability,
    below,
    one: (options) => options[below(options.length)] as (typeof options)[number],
  };
}
