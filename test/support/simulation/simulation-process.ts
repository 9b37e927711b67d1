import { simulate, type SimulationOptions } from "./simulation.ts";

/** Simulates what it is sent, one seed at a time, so that a campaign can use every core. */
process.on("message", (options: Pick<SimulationOptions, "seed" | "turns" | "placement" | "nodes">) => {
  simulate(options).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
