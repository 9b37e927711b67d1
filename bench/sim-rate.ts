import { simulate } from "../test/support/simulation/simulation.ts";
import { format, median, perSecond, type Bench } from "./bench.ts";

/** A million turns must fit into the long run of a change: ten minutes of it, at most. */
const NEEDED_PER_SECOND = 1_000_000 / 600;

/** The simulator: real kernel, operations and store, every transaction checked against a model, with crashes. */
export const simRate: Bench = {
  name: "sim-rate",
  measures: "simulated turns per second with faults on, every one checked against the model",
  async run({ quick, progress }) {
    const rounds = quick ? 1 : 3;
    const turns = quick ? 1_000 : 10_000;
    const rates: number[] = [];
    let crashes = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const started = performance.now();
      const report = await simulate({ seed: round, turns });
      rates.push(perSecond(report.turns, performance.now() - started));
      crashes += report.crashes;
      progress(`round ${round} of ${rounds}: ${format(rates.at(-1) ?? 0)} turns/s`);
    }
    return [
      {
        what: "turns a second to what a million in ten minutes needs",
        ratios: rates.map((rate) => rate / NEEDED_PER_SECOND),
        goal: { atLeast: 1 },
        detail: `${format(median(rates))} turns/s, ${crashes} crashes, no invariant broken`,
      },
    ];
  },
};
