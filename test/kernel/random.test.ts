import { describe, expect, it } from "vitest";
import { seededRandom, systemRandom, type Random } from "../../src/kernel/random.ts";

const draw = (random: Random, count: number): number[] => Array.from({ length: count }, random);

describe("seeded random", () => {
  it("gives one sequence for one seed, here and everywhere", () => {
    expect(draw(seededRandom(42), 3)).toEqual([0.6011037519201636, 0.44829055899754167, 0.8524657934904099]);
    expect(draw(seededRandom(42), 1_000)).toEqual(draw(seededRandom(42), 1_000));
  });

  it("gives another sequence for another seed", () => {
    const sequences = [0, 1, 2, -1, 2 ** 31].map((seed) => draw(seededRandom(seed), 5).join());
    expect(new Set(sequences).size).toBe(5);
  });
});

it.each([
  ["seeded", seededRandom(7)],
  ["system", systemRandom],
])("%s random stays in [0, 1) and fills it evenly", (_, random) => {
  const buckets = Array.from({ length: 10 }, () => 0);
  for (const number of draw(random, 20_000)) {
    expect(number >= 0 && number < 1).toBe(true);
    const bucket = Math.floor(number * 10);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  // Six standard deviations around 2,000.
  for (const count of buckets) expect(Math.abs(count - 2_000)).toBeLessThan(255);
});
