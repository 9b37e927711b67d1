import { Session } from "node:inspector/promises";
import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { holdProcess } from "../src/kernel/clock.ts";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/send-message.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { openTeamProject } from "./support/team-project.ts";
using _a = holdProcess();
const dir = mkdtempSync(join(tmpdir(), "p"));
let n = 0,
  want = 0,
  finish = () => {};
const engine = instantEngine(({ agent }) => {
  n++;
  if (n > want) {
    finish();
    return { finished: true, text: "" };
  }
  return { finished: true, text: `@${agent.name === "a1" ? "a2" : "a1"} number ${n}, your turn now please` };
});
const project = await openTeamProject(dir, 2, engine);
const go = async (c: number) => {
  n = 0;
  want = c;
  const f = new Promise<void>((r) => (finish = r));
  await project.system.propose(person, sendMessage, { to: "@team", message: "@a1 begin" });
  await f;
};
await go(1500);
const s = new Session();
s.connect();
await s.post("Profiler.enable");
await s.post("Profiler.setSamplingInterval", { interval: 200 });
await s.post("Profiler.start");
await go(2000);
const { profile } = await s.post("Profiler.stop");
writeFileSync("/tmp/hop.cpuprofile", JSON.stringify(profile));
rmSync(dir, { recursive: true, force: true });
process.exit(0);
