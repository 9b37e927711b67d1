import { join } from "node:path";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { format, median, type Bench } from "./bench.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { drained, openTeamProject } from "./support/team-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** One message to many. It must make exactly as many runs, and each must cost what it costs alone. */
export const fanOut: Bench = {
  name: "fan-out",
  measures: "one message to 5, 50 and 500 agents: runs made, and the cost of one",
  async run({ quick, progress }) {
    const rounds = quick ? 1 : 5;
    const sizes = quick ? [5, 50] : [5, 50, 500];
    const perRun = new Map<number, number[]>(sizes.map((size) => [size, []]));
    const wrong: number[] = [];
    for (const size of sizes) {
      using folder = temporaryFolder();
      let runs = 0;
      const engine = instantEngine(() => {
        runs += 1;
        return { finished: true, text: "" };
      });
      await using project = await openTeamProject(join(folder.path, "project"), size, engine);
      for (let round = 1; round <= rounds; round += 1) {
        runs = 0;
        let last = performance.now();
        const before = last;
        const watching = project.events.observe((events) => {
          if (events.some(({ type }) => type === "run.ended")) last = performance.now();
        });
        const sent = await project.system.propose(person, sendMessage, { to: "@team", message: "@all look" });
        if (!sent.ok) throw new Error(sent.error.message);
        await drained(project);
        watching[Symbol.dispose]();
        wrong.push(Math.abs(runs - size));
        perRun.get(size)?.push((last - before) / size);
      }
      progress(`${size} agents: ${format(median(perRun.get(size) ?? []))} ms a run`);
    }
    const largest = sizes.at(-1) ?? 5;
    const small = median(perRun.get(50) ?? []);
    return [
      { what: "runs too many or too few", ratios: wrong, goal: { atMost: 0 }, detail: `${wrong.length} rounds` },
      {
        what: `cost of a run among ${largest} to one among 50`,
        ratios: (perRun.get(largest) ?? []).map((ms) => ms / small),
        goal: { atMost: 1.5 },
        detail: `${format(median(perRun.get(largest) ?? []))} ms against ${format(small)} ms`,
      },
    ];
  },
};
