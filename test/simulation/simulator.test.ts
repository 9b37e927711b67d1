import { describe, expect, it } from "vitest";
import { plantedBugs } from "../support/simulation/planted-bugs.ts";
import { simulate, type SimulationReport } from "../support/simulation/simulation.ts";

/** Many small worlds; `test/campaign/simulator.test.ts` is the same for a million turns. */
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
const TURNS = 150;

describe("the simulated team", () => {
  it(
    "[run.simulation] keeps every promise under crashes, failures, lost wakes and clocks that jump",
    { timeout: 180_000 },
    async () => {
      const reports: SimulationReport[] = [];
      for (const seed of SEEDS) reports.push(await simulate({ seed, turns: TURNS }));
      const sum = (of: (report: SimulationReport) => number): number =>
        reports.reduce((total, each) => total + of(each), 0);
      expect(sum(({ turns }) => turns)).toBeGreaterThanOrEqual(SEEDS.length * TURNS);
      expect(sum(({ crashes }) => crashes)).toBeGreaterThan(20);
      expect(sum(({ deliveries }) => deliveries)).toBeGreaterThan(1000);
    },
  );

  it(
    "[run.simulation] [node.lease] [run.one-open] [run.fence] is worked on by three nodes that are killed, hang beyond their lease and come back",
    { timeout: 180_000 },
    async () => {
      const reports: SimulationReport[] = [];
      for (const seed of SEEDS) reports.push(await simulate({ seed, turns: TURNS, nodes: 3 }));
      const sum = (of: (report: SimulationReport) => number): number =>
        reports.reduce((total, each) => total + of(each), 0);
      expect(sum(({ crashes }) => crashes)).toBeGreaterThan(20);
      expect(sum(({ refusedLate }) => refusedLate)).toBeGreaterThan(20);
      expect(sum(({ takenOver }) => takenOver)).toBeGreaterThan(5);
    },
  );

  // Seeds that draw a stormy world.
  it.each([1016, 1018])(
    "survives being cut off in the middle of a transaction on a real disk (seed %i)",
    async (seed) => {
      const { crashes, plan } = await simulate({ seed, turns: 60, placement: "file" });
      expect(plan.crash).toBe(0.1);
      expect(crashes).toBeGreaterThanOrEqual(3);
    },
  );

  it("[run.simulation] replays one history from one seed", async () => {
    const first = await simulate({ seed: 42, turns: TURNS });
    expect(await simulate({ seed: 42, turns: TURNS })).toEqual(first);
    expect((await simulate({ seed: 43, turns: TURNS })).history).not.toBe(first.history);
  });
});

describe("a planted bug", () => {
  it.each(plantedBugs)("is found: $name", async ({ plant, caught, turns = TURNS, nodes = 1 }) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 10 && found.length === 0; seed += 1) {
      await simulate({ seed, turns, plant, nodes }).catch((error: unknown) => found.push(String(error)));
    }
    expect(found[0]?.split("\n")[0]).toMatch(caught);
    expect(found[0]).toMatch(/^Error: seed \d+, memory, after \d+ turns and \d+ crashes: /);
    expect(found[0]).toMatch(/the last \d+ calls:\n[^]*and then at once: \w+/);
  });
});
