import { join } from "node:path";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { format, median, type Bench } from "./bench.ts";
import { openDurableCommits } from "./limits/durable-commit.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { openTeamProject } from "./support/team-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Two agents hand a message back and forth. Taken one by one, a hop is two commits: the answer, and the lease of it. */
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
      const total = (times.at(-1) ?? 0) - (times[0] ?? 0);
      ratios.push(bare.total / total);
      bareStalls.push(bare.longest);
      stalls.push(Math.max(...gaps));
      perHop.push(total / count);
      progress(`round ${round} of ${rounds}: ${format(total / count)} ms a hop`);
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

function twoCommits(file: string, count: number): { readonly total: number; readonly longest: number } {
  using floor = openDurableCommits(file);
  let total = 0;
  let longest = 0;
  for (let i = 0; i < count * 2; i += 1) {
    const started = performance.now();
    floor.commit();
    const took = performance.now() - started;
    total += took;
    longest = Math.max(longest, took);
  }
  return { total, longest };
}
