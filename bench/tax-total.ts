import { setTimeout as pause } from "node:timers/promises";
import type { DaemonProject } from "../src/daemon/running-project.ts";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { format, median, type Bench } from "./bench.ts";
import { pacedCall, pacedEngine, TOOL_CALLS, type Pace } from "./support/paced-engine.ts";
import { openTeamProject } from "./support/team-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** People do not ask a hundred agents in the same millisecond. */
const APART_MS = 20;
/** A daemon lives long: what its code costs before it is compiled well does not count. The model hurries meanwhile. */
const WARM_UPS = 10;
const HURRY = 1_000;

/** What the product adds to agents that work at the speed of real models: a hundred at once, with and without it. */
export const taxTotal: Bench = {
  name: "tax-total",
  measures: "100 agents on a model with 800 ms to the first token, 60 tokens a second and 3 tool calls",
  async run({ quick, progress }) {
    const rounds = quick ? 1 : 3;
    const agents = quick ? 10 : 100;
    using folder = temporaryFolder();
    const pace: Pace = { speed: HURRY };
    await using project = await openTeamProject(folder.path, agents, pacedEngine(pace));
    const wall: number[] = [];
    const cpu: number[] = [];
    for (let round = 1; round <= (quick ? 1 : WARM_UPS); round += 1) await spent(agents, answered(project), 0);
    pace.speed = 1;
    for (let round = 1; round <= rounds; round += 1) {
      const product = await spent(agents, answered(project));
      const bare = await spent(agents, bareCalls);
      wall.push(product.runMs / bare.runMs - 1);
      cpu.push((product.cpuMs - bare.cpuMs) / agents);
      progress(`round ${round} of ${rounds}: ${format(product.runMs)} ms a run against ${format(bare.runMs)} ms`);
    }
    return [
      {
        what: "time a run takes beyond the model's own, as a share of it",
        ratios: wall,
        goal: { atMost: 0.005 },
        detail: `${format(median(wall) * 100)} % more than the same calls without the product`,
      },
      {
        what: "milliseconds of CPU a run",
        ratios: cpu,
        goal: { atMost: 5 },
        detail: `${format(median(cpu))} ms for ${TOOL_CALLS + 1} steps and ${TOOL_CALLS} tool calls`,
      },
    ];
  },
};

/** The mean time of a run, and the CPU of all. */
async function spent(agents: number, run: (agent: number) => Promise<void>, apartMs = APART_MS) {
  const cpu = process.cpuUsage();
  const times = await Promise.all(
    Array.from({ length: agents }, async (_, agent) => {
      await pause(agent * apartMs);
      const started = performance.now();
      await run(agent);
      return performance.now() - started;
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  return { runMs: times.reduce((sum, ms) => sum + ms, 0) / agents, cpuMs: (user + system) / 1_000 };
}

/** From the request to send a message to the durable end of the run that answers it. */
function answered(project: DaemonProject): (agent: number) => Promise<void> {
  return async (agent) => {
    const name = `a${agent + 1}`;
    const ended = Promise.withResolvers<void>();
    using _observing = project.events.observe((events) => {
      for (const event of events) {
        if (event.type !== "run.ended" || event.agent !== name) continue;
        if (event.outcome === "answered") ended.resolve();
        else ended.reject(new Error(`the run ended as ${event.outcome}`));
      }
    });
    const sent = await project.system.propose(person, sendMessage, { to: `${name}@team`, message: "Please look." });
    if (!sent.ok) throw new Error(sent.error.message);
    await ended.promise;
  };
}

async function bareCalls(): Promise<void> {
  for (let number = 1; number <= TOOL_CALLS + 1; number += 1) {
    for await (const _event of pacedCall(number)) continue;
  }
}
