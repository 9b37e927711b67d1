import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { SimulationReport } from "../support/simulation/simulation.ts";
import { printedSeed } from "../support/store/seed.ts";

/**
 * The simulator at length: `SIM_TURNS` turns and at least `SIM_CRASHES` crashes, over as many seeds as it takes, on every
 * core. Most seeds keep their store in memory; every fortieth is on the disk and dies there. `FC_SEED` draws the same
 * seeds again, and a failure names the one seed that replays it alone.
 */
const TURNS = Number(process.env["SIM_TURNS"] ?? 1_000_000);
const CRASHES = Number(process.env["SIM_CRASHES"] ?? 1_000);
const TURNS_IN_MEMORY = 2_000;
const TURNS_ON_DISK = 50;
const ON_DISK_EVERY = 40;
const PROGRESS_MS = 5_000;
const PROCESS = fileURLToPath(new URL("../support/simulation/simulation-process.ts", import.meta.url));

it("[run.simulation] holds over a million turns and a thousand crashes", async () => {
  const random = printedSeed("simulator");
  const done = { seeds: 0, onDisk: 0, turns: 0, crashes: 0, calls: 0, messages: 0, deliveries: 0 };
  const started = performance.now();
  let told = started;
  let drawn = 0;

  const work = async (): Promise<void> => {
    using simulator = startProcess();
    while (done.turns < TURNS || done.crashes < CRASHES) {
      const onDisk = drawn % ON_DISK_EVERY === ON_DISK_EVERY - 1;
      drawn += 1;
      const report = await simulator.simulate({
        seed: Math.floor(random() * 2 ** 31),
        turns: onDisk ? TURNS_ON_DISK : Math.min(TURNS_IN_MEMORY, TURNS),
        placement: onDisk ? "file" : "memory",
        // Every third one in memory is worked on by several daemons.
        nodes: !onDisk && drawn % 3 === 0 ? 2 + (drawn % 4) : 1,
      });
      done.seeds += 1;
      done.onDisk += Number(onDisk);
      for (const key of ["turns", "crashes", "calls", "messages", "deliveries"] as const) done[key] += report[key];
      if (performance.now() - told > PROGRESS_MS) {
        told = performance.now();
        console.log(progress(done, told - started));
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(progress(done, performance.now() - started));
  expect(done.turns).toBeGreaterThanOrEqual(TURNS);
  expect(done.crashes).toBeGreaterThanOrEqual(CRASHES);
});

function startProcess() {
  const child = fork(PROCESS, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return {
    simulate: (options: { seed: number; turns: number; placement: "memory" | "file"; nodes: number }) =>
      new Promise<SimulationReport>((resolve, reject) => {
        const onExit = (code: number | null): void =>
          reject(new Error(`seed ${options.seed}: the process ended with ${code}`));
        child.once("exit", onExit);
        child.once("message", (answer: { report?: SimulationReport; error?: string }) => {
          child.removeListener("exit", onExit);
          if (answer.report === undefined) reject(new Error(answer.error));
          else resolve(answer.report);
        });
        child.send(options);
      }),
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

function progress(done: Readonly<Record<string, number>>, ms: number): string {
  const counts = Object.entries(done).map(([what, count]) => `${count} ${what}`);
  return `simulator: ${counts.join(", ")} in ${(ms / 1000).toFixed(0)} s, ${Math.round(((done["turns"] ?? 0) / ms) * 1000)} turns/s`;
}
