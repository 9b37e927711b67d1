/**
 * A daemon of a cluster, to be killed: `PROJECT LOG`. The environment says which node it is. Its agents are played by a
 * script that writes every step to the log before it does anything. Prints `ready` when it is.
 */
import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { openDaemon } from "../../../src/daemon/daemon.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { clusterStep } from "../cluster/ledger.ts";
import { answersByTool, keysIn, reply, STEPS_PER_RUN } from "../team/team-at-work.ts";

const [projectDir = "", log = ""] = process.argv.slice(2);
const { AGENT_WORKER_HOME: home = "", AGENT_WORKER_NODE: name = "", STEP_MS = "20" } = process.env;

const engine = scriptedEngine(async ({ run, number, agent, inbox, call }) => {
  appendFileSync(log, clusterStep({ node: name, run, step: number, at: Date.now() }));
  if (number === 1) await call("my_status_set", { task: keysIn(inbox).join(" ") });
  await pause(Math.random() * 2 * Number(STEP_MS));
  if (number < STEPS_PER_RUN) return { more: true };
  if (!answersByTool(agent)) return reply(agent, inbox);
  for (;;) {
    const said = await call("channel_send", { message: reply(agent, inbox) });
    if (said.kind !== "result" || !said.isError) break;
    // As a model would: whoever has said too much says it later.
    if (!said.content.includes("quota")) throw new Error(said.content);
    await pause(1_000);
  }
  await pause(Math.random() * Number(STEP_MS));
  return "";
});
await openDaemon({ home, projectDir, node: { name }, trustsAll: true, engines: new Map([["mock", engine]]) });
console.log("ready");
flushCompileCache(); // Not at the end, which never comes.
