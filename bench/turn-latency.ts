import { join } from "node:path";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { format, median, type Bench } from "./bench.ts";
import { openDurableCommits } from "./limits/durable-commit.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { openTeamProject } from "./support/team-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** From the receipt of a mention to the engine of the mentioned agent being called: a wake, a durable lease, a prompt. */
export const turnLatency: Bench = {
  name: "turn-latency",
  measures: "from the receipt of an @mention to the start of the agent's engine, one at a time",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const count = quick ? 50 : 300;
    const ratios: number[] = [];
    const latencies: number[] = [];
    const floors: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      using folder = temporaryFolder();
      let started = (): void => {};
      const engine = instantEngine(() => {
        started();
        return { finished: true, text: "" };
      });
      await using project = await openTeamProject(join(folder.path, "project"), 1, engine);
      using floor = openDurableCommits(join(folder.path, "floor.db"));
      const waits: number[] = [];
      const commits: number[] = [];
      for (let i = 0; i < count; i += 1) {
        const begun = new Promise<number>((resolve) => (started = () => resolve(performance.now())));
        const sent = await project.system.propose(person, sendMessage, { to: "@team", message: `@a1 number ${i}` });
        const receipt = performance.now();
        if (!sent.ok) throw new Error(sent.error.message);
        waits.push((await begun) - receipt);
        const before = performance.now();
        floor.commit();
        commits.push(performance.now() - before);
      }
      latencies.push(median(waits));
      floors.push(median(commits));
      ratios.push(median(waits) / median(commits));
      progress(`round ${round} of ${rounds}: ${format(median(waits))} ms`);
    }
    return [
      {
        what: "to one bare commit, which the lease needs",
        ratios,
        goal: { atMost: 3 },
        detail: `${format(median(latencies))} ms against ${format(median(floors))} ms`,
      },
    ];
  },
};
