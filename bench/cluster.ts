import { fileURLToPath } from "node:url";
import { startServer } from "../test/support/postgres/server.ts";
import { format, median, type Bench, type Figure } from "./bench.ts";
import { bareTurns, bossTurns, ourTurns, type Load, type Rate } from "./cluster/turns.ts";
import { installTools } from "./support/install-tools.ts";

const SERVER = fileURLToPath(new URL("../test/postgres", import.meta.url));
const AGENTS = Array.from({ length: 12 }, (_, n) => `agent-${n}`);

/**
 * Daemons on one PostgreSQL. The server, the daemons and the sender share this
 * machine, so more nodes than cores show the overhead and not the gain.
 */
export const cluster: Bench = {
  name: "cluster",
  measures: "turns of one, two and four nodes, beside a bare loop of statements and plain jobs of pg-boss",
  async run({ quick, progress }) {
    installTools(SERVER, progress);
    await using server = await startServer({ settings: { max_connections: "300" } });
    const rounds = quick ? 1 : 3;
    const measure = async (name: string, rate: Rate, nodes: number, load: Load): Promise<number[]> => {
      const rates: number[] = [];
      for (let round = 0; round < rounds; round += 1) rates.push(await rate(server, nodes, load));
      progress(`${name}, ${nodes} nodes, engines of ${load.stepMs} ms: ${rates.map(format).join(", ")} turns a second`);
      return rates;
    };
    // Each node does little at once, so that the work waits for engines and not for this machine.
    const slow: Load = { agents: AGENTS, count: AGENTS.length * (quick ? 3 : 8), stepMs: 50, capacity: 2 };
    const fast: Load = { agents: AGENTS, count: AGENTS.length * (quick ? 4 : 16), stepMs: 0, capacity: 12 };
    const figures: Figure[] = [];
    for (const load of [slow, fast]) {
      const ours: number[][] = [];
      for (const nodes of [1, 2, 4]) {
        ours.push(await measure("agent-worker", ourTurns, nodes, load));
        const mine = ours.at(-1) ?? [];
        for (const [name, rate, goal] of [
          ["a bare loop", bareTurns, 0.5],
          ["pg-boss", bossTurns, 0.5],
        ] as const) {
          figures.push(
            compare(
              `turns of ${nodes} nodes to ${name}, engines of ${load.stepMs} ms`,
              mine,
              await measure(name, rate, nodes, load),
              goal,
            ),
          );
        }
      }
      const [one = [], two = [], four = []] = ours;
      if (load !== slow) continue;
      figures.push(compare("turns of two nodes to those of one, engines of 50 ms", two, one, 1.6));
      figures.push(compare("turns of four nodes to those of one, engines of 50 ms", four, one, 2));
    }
    return figures;
  },
};

function compare(what: string, rates: readonly number[], limits: readonly number[], atLeast: number): Figure {
  return {
    what,
    ratios: rates.map((rate, round) => rate / (limits[round] ?? Number.NaN)),
    goal: { atLeast },
    detail: `${format(median(rates))}/s against ${format(median(limits))}/s`,
  };
}
