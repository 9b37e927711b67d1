import { join } from "node:path";
import { openRunningProject } from "../src/daemon/running-project.ts";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { setSchedule } from "../src/operations/schedules/set-schedule.ts";
import { openWorkspace } from "../src/operations/workspaces/open-workspace.ts";
import { manualClock } from "../test/support/manual-clock.ts";
import type { Bench } from "./bench.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { localOptions } from "./support/local-options.ts";
import { writeReviewProject } from "./support/review-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Background work climbs two lanes in ten minutes (`domain/delivery/aging.ts`): with such turns, in this many. */
const TURN_MS = 30_000;
const BOUND_TURNS = (10 * 60_000) / TURN_MS;

/** Endless direct messages against one piece of background work: after how many turns it is done all the same. */
export const starve: Bench = {
  name: "starve",
  measures: `turns of ${TURN_MS / 1000} s that background work waits while every answer is followed by another direct message`,
  async run({ quick }) {
    const turns: number[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round += 1) turns.push(await turnsUntilDone());
    return [
      {
        what: `turns waited to the bound of ${BOUND_TURNS}`,
        ratios: turns.map((count) => count / (BOUND_TURNS + 1)),
        goal: { atMost: 1 },
        detail: `${turns.join(", ")} turns`,
      },
    ];
  },
};

async function turnsUntilDone(): Promise<number> {
  using folder = temporaryFolder();
  const dir = join(folder.path, "project");
  writeReviewProject(dir);
  const clock = manualClock();
  const done = Promise.withResolvers<void>();
  let waiting = false;
  let turns = 0;
  const send = async (): Promise<void> => {
    await project.system.propose(person, sendMessage, { to: "alice", message: "one more question" });
  };
  const engine = instantEngine(async (_spec, { prompt }) => {
    if (prompt?.includes("look around") === true) done.resolve();
    else {
      if (waiting) turns += 1;
      clock.advance(TURN_MS);
      await send();
    }
    return { finished: true, text: "" };
  });
  await using project = await openRunningProject({ ...localOptions(dir), clock, engines: new Map([["mock", engine]]) });
  await project.system.propose(person, openWorkspace, { workflow: "review" });
  using _watching = project.events.observe((events) => {
    // It waits from now on, and not since its time: the scheduler is woken while a turn is made.
    if (events.some((event) => event.type === "message.posted" && event.space === "@review:main")) waiting = true;
  });
  await project.system.propose(person, setSchedule, { target: "alice@review", wakeup: "30s", prompt: "look around" });
  await send();
  await done.promise;
  return turns;
}
