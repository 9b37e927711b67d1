/**
 * A team at work in a process of its own, to be killed: `work` lets a person send as fast as the team answers, `drain`
 * only finishes what is left. Every step is written to `steps.log` before it does anything. Answers `opened LOST`,
 * `acked KEY` for each receipt, and `drained` at the end.
 */
import { appendFileSync, existsSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { person } from "../../../src/kernel/caller.ts";
import { systemRandom } from "../../../src/kernel/random.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { value } from "../result.ts";
import { openLiveTestProjectIn } from "../team/running-project.ts";
import {
  answersByTool,
  keysIn,
  reply,
  stepRecord,
  STEPS_PER_RUN,
  TEAM_FILES,
  TEAM_LOG,
  TEAM_NAMES,
} from "../team/team-at-work.ts";

const IN_FLIGHT = 6;
const [dir = "", mode = "", life = "", first = "0"] = process.argv.slice(2);

const engine = scriptedEngine(async ({ run, number, agent, inbox, call }) => {
  appendFileSync(join(dir, TEAM_LOG), stepRecord(life, run, number));
  if (number === 1) await call("my_status_set", { task: keysIn(inbox).join(" ") });
  await pause(Math.random() * 4);
  if (number < STEPS_PER_RUN) return { more: true };
  if (!answersByTool(agent)) return reply(agent, inbox);
  await call("channel_send", { message: reply(agent, inbox) });
  await pause(Math.random() * 4);
  return "";
});
const project = await openLiveTestProjectIn(dir, {
  files: existsSync(join(dir, ".agents")) ? {} : TEAM_FILES,
  engine,
  random: systemRandom,
});
if ((await project.store.read((store) => store.workspaces.status("@team:main"))) === undefined)
  await project.open("team");
console.log(`opened ${project.store.lostCommits}`);
flushCompileCache(); // Not at the end, which never comes.

let next = Number(first);
const sendOn = async (): Promise<never> => {
  while (true) {
    const key = `k${(next += 1)}`;
    const to = TEAM_NAMES[next % TEAM_NAMES.length];
    value(
      await project.system.propose(person, sendMessage, {
        to: "@team",
        message: `@${to} what about ${key}?`,
        idempotencyKey: key,
      }),
    );
    console.log(`acked ${key}`);
    await pause(2);
  }
};
if (mode === "work") await Promise.all(Array.from({ length: IN_FLIGHT }, sendOn));
const alive = setInterval(() => {}, 1_000);
await project.quiet(10 * 60_000);
await project[Symbol.asyncDispose]();
console.log("drained");
clearInterval(alive);
