import { mkdtempSync, rmSync } from "node:fs";
import { holdProcess } from "../src/kernel/clock.ts"; import { person } from "../src/kernel/caller.ts"; import { sendMessage } from "../src/operations/send-message.ts";
import { instantEngine } from "./support/instant-engine.ts"; import { openTeamProject } from "./support/team-project.ts";
using _a = holdProcess(); const dir = mkdtempSync("/dev/shm/p");
const cpu = () => { const c = process.cpuUsage(); return c.user + c.system; };
const R: number[] = [];
if (process.argv[2] === "hops") {
  let n = 0, want = 0, finish = () => {};
  const engine = instantEngine(({ agent }) => { n++; if (n > want) { finish(); return { finished: true, text: "" }; } return { finished: true, text: `@${agent.name === "a1" ? "a2" : "a1"} number ${n}, your turn now please` }; });
  const project = await openTeamProject(dir, 2, engine);
  const go = async (c: number) => { n = 0; want = c; const f = new Promise<void>((r) => finish = r); const c0 = cpu(); await project.system.propose(person, sendMessage, { to: "@team", message: "@a1 begin" }); await f; return (cpu() - c0) / c; };
  await go(1200); for (let i = 0; i < 30; i++) R.push(await go(80));
} else {
  const AGENTS = 50; const waiting = new Map<string, () => void>();
  const engine = instantEngine(({ agent }) => ({ finished: true, text: `Done, says ${agent.name}.` }));
  const project = await openTeamProject(dir, AGENTS, engine);
  project.events.observe((events) => { for (const e of events) if (e.type === "run.ended") waiting.get(e.agent)?.(); });
  const go = async (count: number) => { let next = 0; const asking = async (name: string) => { for (let i = next++; i < count; i = next++) { const answered = new Promise<void>((r) => waiting.set(name, r)); const s = await project.system.propose(person, sendMessage, { to: "@team", message: `@${name} number ${i}` }); if (!s.ok) throw new Error("x"); await answered; } }; const c0 = cpu(); await Promise.all(Array.from({ length: AGENTS }, (_, i) => asking(`a${i + 1}`))); return (cpu() - c0) / count; };
  await go(2500); for (let i = 0; i < 30; i++) R.push(await go(200));
}
R.sort((a, b) => a - b); console.log(process.argv[2], "cpu us min", R[0]!.toFixed(0), "p25", R[7]!.toFixed(0), "median", R[15]!.toFixed(0));
rmSync(dir, { recursive: true, force: true }); process.exit(0);
