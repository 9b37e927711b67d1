import { join } from "node:path";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { format, median, type Bench } from "./bench.ts";
import { openDurableCommits } from "./limits/durable-commit.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { openTeamProject } from "./support/team-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/**
 * Two agents hand a message back and forth. Taken one by one, a hop is two commits: the answer, and the lease of it.
 * Half of that speed is the goal: between the commits the product reads the files, makes a prompt and writes events.
 * Medians are compared, and the longest stall is a figure of its own: one slow flush must not decide over a thousand hops.
 */
export const hops: Bench = {
  name: "hops",
  measures: "@mention ping-pong between two agents on an engine that takes no time",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const count = quick ? 100 : 1_000;
    const ratios: number[] = [];
    const stalls: number[] = [];
    const bareStalls: number[] = [];
    const perHop: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      using folder = temporaryFolder();
      const times = await pingPong(join(folder.path, "project"), count);
      const bare = twoCommits(join(folder.path, "floor.db"), count);
      if (round === 0) continue;
      const gaps = times.slice(1).map((time, i) => time - (times[i] ?? time));
      ratios.push((bare.median * 2) / median(gaps));
      bareStalls.push(bare.longest);
      stalls.push(Math.max(...gaps));
      perHop.push(median(gaps));
      progress(`round ${round} of ${rounds}: ${format(median(gaps))} ms a hop against ${format(bare.median * 2)} ms`);
    }
    return [
      {
        what: "two bare commits to a hop",
        ratios,
        goal: { atLeast: 0.5 },
        detail: `${format(median(perHop))} ms a hop`,
      },
      {
        what: "longest stall in ms over 50",
        ratios: stalls.map((ms) => ms / 50),
        goal: { atMost: 1 },
        detail: `${format(Math.max(...stalls))} ms; the longest bare commit took ${format(Math.max(...bareStalls))} ms`,
      },
    ];
  },
};

async function pingPong(folder: string, count: number): Promise<number[]> {
  const times: number[] = [];
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const engine = instantEngine(({ agent }) => {
    times.push(performance.now());
    if (times.length > count) {
      finish();
      return { finished: true, text: "" };
    }
    return {
      finished: true,
      text: `@${agent.name === "a1" ? "a2" : "a1"} number ${times.length}, your turn now please`,
    };
  });
  await using project = await openTeamProject(folder, 2, engine);
  const sent = await project.system.propose(person, sendMessage, { to: "@team", message: "@a1 begin" });
  if (!sent.ok) throw new Error(sent.error.message);
  await finished;
  return times;
}

function twoCommits(file: string, count: number): { readonly median: number; readonly longest: number } {
  using floor = openDurableCommits(file);
  const times: number[] = [];
  for (let i = 0; i < count * 2; i += 1) {
    const started = performance.now();
    floor.commit();
    times.push(performance.now() - started);
  }
  return { median: median(times), longest: Math.max(...times) };
}
