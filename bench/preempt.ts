import { join } from "node:path";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { format, median, type Bench } from "./bench.ts";
import { openDurableCommits } from "./limits/durable-commit.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { openTeamProject } from "./support/team-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const STEPS = 6;
const QUESTION = "a quick question";
/** What a run of some length carries from step to step. */
const TRANSCRIPT = JSON.stringify({ messages: [{ text: "x".repeat(43_000) }] });

/**
 * A direct message arrives during a long run: how soon it is taken up, and that no step is executed twice. The median of
 * a round is compared with the median of the bare commits between its interruptions: a single flush says little.
 */
export const preempt: Bench = {
  name: "preempt",
  measures:
    "a direct message during a run with 43 KB of transcript: from the end of its step to the start of the message's run",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const count = quick ? 10 : 60;
    const ratios: number[] = [];
    const medians: number[] = [];
    let repeated = 0;
    for (let round = 1; round <= rounds; round += 1) {
      using folder = temporaryFolder();
      const seen = new Map<string, number[]>();
      const direct = new Set<string>();
      let stepEnded = 0;
      let begun = (_at: number): void => {};
      const engine = instantEngine(async ({ run }, { number, prompt }) => {
        const steps = seen.get(run) ?? [];
        if (steps.includes(number)) repeated += 1;
        seen.set(run, [...steps, number]);
        if (prompt?.includes(QUESTION) === true) direct.add(run);
        if (direct.has(run)) {
          begun(performance.now());
          return { finished: true, text: "" };
        }
        if (number === 2) await interrupt?.();
        stepEnded = performance.now();
        return { finished: number === STEPS, text: "" };
      }, TRANSCRIPT);
      await using project = await openTeamProject(join(folder.path, "project"), 1, engine);
      using floor = openDurableCommits(join(folder.path, "floor.db"));
      let interrupt: (() => Promise<void>) | undefined;
      const waits: number[] = [];
      const commits: number[] = [];
      for (let i = 0; i < count; i += 1) {
        const taken = new Promise<number>((resolve) => (begun = resolve));
        const asked = Promise.withResolvers<void>();
        interrupt = async () => {
          interrupt = undefined;
          await project.system.propose(person, sendMessage, { to: "a1", message: QUESTION });
          asked.resolve();
        };
        await project.system.propose(person, sendMessage, { to: "a1@team", message: `long work ${i}` });
        await asked.promise;
        waits.push((await taken) - stepEnded);
        const before = performance.now();
        floor.commit(TRANSCRIPT);
        floor.commit();
        commits.push(performance.now() - before);
        await project.runtime.idle.untilIdle("@team:main", new AbortController().signal);
      }
      medians.push(median(waits));
      ratios.push(median(waits) / median(commits));
      progress(`round ${round} of ${rounds}: ${format(median(waits))} ms against ${format(median(commits))} ms`);
    }
    return [
      {
        what: "steps executed twice",
        ratios: [repeated],
        goal: { atMost: 0 },
        detail: `${rounds * count} interruptions`,
      },
      {
        what: "to the two bare commits giving way needs: the step with its transcript, and the lease",
        ratios,
        goal: { atMost: 2 },
        detail: `${format(median(medians))} ms`,
      },
    ];
  },
};
