/**
 * A live project in a process of its own, to be killed. `begin` gives alice ten steps of background work, and a direct
 * message arrives during the third. Hangs in the step it is told to hang in, after saying `hanging`; says `done` when
 * nothing is left to do.
 */
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { manualClock } from "../manual-clock.ts";
import { giveBackgroundWork, longWork, workDone } from "../team/long-work.ts";
import { openLiveTestProjectIn } from "../team/running-project.ts";
import { TEAM } from "../team/team.ts";

const [dir = "", mode = "", hangIn = ""] = process.argv.slice(2);
/** The second life begins after the first, before the schedule is due again. */
const clock = manualClock(Date.UTC(2026, 0, 5, 9, mode === "begin" ? 0 : 6));
const alive = setInterval(() => {}, 1_000);
const engine = scriptedEngine(
  longWork(
    () => dir,
    async (kind, { number }) => {
      if (mode === "begin" && kind === "work" && number === 3) await project.send("alice", "a letter");
      if (`${kind} ${number}` !== hangIn) return;
      console.log("hanging");
      await new Promise(() => {});
    },
  ),
);
const project = await openLiveTestProjectIn(dir, { files: mode === "begin" ? TEAM : {}, engine, clock });
if (mode === "begin") await giveBackgroundWork(project, clock);
await workDone(project);
console.log("done");
await project[Symbol.asyncDispose]();
clearInterval(alive);
