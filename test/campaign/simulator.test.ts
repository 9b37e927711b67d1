import { expect, it } from "vitest";
import { printedSeed } from "../support/seed.ts";
import { simulate } from "../support/simulation/simulation.ts";

/**
 * The simulator at length: `SIM_TURNS` turns and at least `SIM_CRASHES` crashes, over as many seeds as it takes. Most
 * of them keep their store in memory; every fortieth is on the disk and dies there. `FC_SEED` replays all of it, and
 * a failure names the one seed that replays it alone.
 */
const TURNS = Number(process.env["SIM_TURNS"] ?? 1_000_000);
const CRASHES = Number(process.env["SIM_CRASHES"] ?? 1_000);
const TURNS_IN_MEMORY = 2_000;
const TURNS_ON_DISK = 50;
const ON_DISK_EVERY = 40;
const PROGRESS_MS = 5_000;

it("[run.simulation] holds over a million turns and a thousand crashes", async () => {
  const random = printedSeed("simulator");
  const done = { seeds: 0, onDisk: 0, turns: 0, crashes: 0, calls: 0, messages: 0, deliveries: 0 };
  const started = performance.now();
  let told = started;
  while (done.turns < TURNS || done.crashes < CRASHES) {
    const seed = Math.floor(random() * 2 ** 31);
    const onDisk = done.seeds % ON_DISK_EVERY === ON_DISK_EVERY - 1;
    const turns = onDisk ? TURNS_ON_DISK : Math.min(TURNS_IN_MEMORY, Math.max(1, TURNS - done.turns));
    const report = await simulate({ seed, turns, placement: onDisk ? "file" : "memory" });
    done.seeds += 1;
    done.onDisk += Number(onDisk);
    for (const key of ["turns", "crashes", "calls", "messages", "deliveries"] as const) done[key] += report[key];
    if (performance.now() - told > PROGRESS_MS) {
      told = performance.now();
      console.log(progress(done, told - started));
    }
  }
  console.log(progress(done, performance.now() - started));
  expect(done.turns).toBeGreaterThanOrEqual(TURNS);
  expect(done.crashes).toBeGreaterThanOrEqual(CRASHES);
});

function progress(done: Readonly<Record<string, number>>, ms: number): string {
  const counts = Object.entries(done).map(([what, count]) => `${count} ${what}`);
  return `simulator: ${counts.join(", ")} in ${(ms / 1000).toFixed(0)} s, ${Math.round(((done["turns"] ?? 0) / ms) * 1000)} turns/s`;
}
