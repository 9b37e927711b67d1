import { randomInt } from "node:crypto";
import { seededRandom, type Random } from "../../../src/kernel/random.ts";

/** Chance for a test that damages or kills: the seed is printed, and `FC_SEED` replays it. */
export function printedSeed(what: string): Random {
  const seed = Number(process.env["FC_SEED"] ?? randomInt(2 ** 31));
  console.log(`${what}: seed ${seed}; replay with FC_SEED=${seed}`);
  return seededRandom(seed);
}
