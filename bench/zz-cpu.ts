import { StatementSync } from "node:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { holdProcess } from "../src/kernel/clock.ts";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/send-message.ts";
import { instantEngine } from "./support/instant-engine.ts";
import { openTeamProject } from "./support/team-project.ts";
using _a = holdProcess();
const counts = new Map<string, number>();
let counting = false;
if (process.argv[3] === "count")
  for (const k of ["run", "get", "all"] as const) {
    const o = StatementSync.prototype[k] as any;
    (StatementSync.prototype as any)[k] = function (...v: any[]) {
      if (counting) {
        const s = k + " " + this.sourceSQL.replace(/\s+/g, " ").slice(0, 150);
        counts.set(s, (counts.get(s) ?? 0) + 1);
      }
      return o.apply(this, v);
    };
  }
const dir = mkdtempSync("/dev/shm/p");
if (process.argv[2] === "hops") {
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
    const c0 = process.cpuUsage();
    const t = performance.now();
    await project.system.propose(person, sendMessage, { to: "@team", message: "@a1 begin" });
    await f;
    const c1 = process.cpuUsage(c0);
    return { us: (c1.user / c) | 0, sys: (c1.system / c) | 0, wall: (((performance.now() - t) / c) * 1000) | 0 };
  };
  await go(1500);
  counting = true;
  for (let i = 0; i < 3; i++) console.log("hop", await go(1000));
  counting = false;
  await new Promise((r) => setTimeout(r, 200));
  if (counts.size) {
    let t = 0;
    for (const [k, v] of [...counts].sort((a, b) => b[1] - a[1])) {
      t += v;
      if (v > 500) console.log((v / 3000).toFixed(2), k);
    }
    console.log("per hop", t / 3000);
  }
} else {
  const AGENTS = 50;
  const waiting = new Map<string, () => void>();
  const engine = instantEngine(({ agent }) => ({ finished: true, text: `Done, says ${agent.name}.` }));
  const project = await openTeamProject(dir, AGENTS, engine);
  project.events.observe((events) => {
    for (const e of events) if (e.type === "run.ended") waiting.get(e.agent)?.();
  });
  const go = async (count: number) => {
    let next = 0;
    const asking = async (name: string) => {
      for (let i = next++; i < count; i = next++) {
        const answered = new Promise<void>((r) => waiting.set(name, r));
        const s = await project.system.propose(person, sendMessage, { to: "@team", message: `@${name} number ${i}` });
        if (!s.ok) throw new Error("x");
        await answered;
      }
    };
    const c0 = process.cpuUsage();
    const t = performance.now();
    await Promise.all(Array.from({ length: AGENTS }, (_, i) => asking(`a${i + 1}`)));
    const c1 = process.cpuUsage(c0);
    return {
      us: (c1.user / count) | 0,
      sys: (c1.system / count) | 0,
      rate: ((count / (performance.now() - t)) * 1000) | 0,
    };
  };
  await go(2500);
  counting = true;
  for (let i = 0; i < 3; i++) console.log("turn", await go(2500));
  counting = false;
  await new Promise((r) => setTimeout(r, 200));
  if (counts.size) {
    let t = 0;
    for (const [k, v] of [...counts].sort((a, b) => b[1] - a[1])) {
      t += v;
      if (v > 700) console.log((v / 7500).toFixed(2), k);
    }
    console.log("per turn", t / 7500);
  }
}
rmSync(dir, { recursive: true, force: true });
process.exit(0);
