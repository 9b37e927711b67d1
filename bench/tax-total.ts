import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Client } from "../src/client/client.ts";
import { connectToDaemon } from "../src/client/connect.ts";
import { format, median, type Bench } from "./bench.ts";
import { MIXED_CALLS } from "./support/mixed-calls.ts";
import { useOfTree } from "./support/process-tree.ts";
import { spawnDaemon } from "./support/spawned-daemon.ts";
import { spawnServer } from "./support/spawned-server.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const MODEL_SERVER = fileURLToPath(new URL("peers/model-server.ts", import.meta.url));
const BARE = fileURLToPath(new URL("limits/bare-team.ts", import.meta.url));
/** First token after 800 ms, then 60 a second. */
const REAL_MODEL = "mixed-think-800-words-15";
const QUICK_MODEL = "mixed";
/** People do not ask a hundred agents in the same millisecond. */
const APART_MS = 20;
/** A daemon lives long: what its code costs before it is compiled well does not count. The model is quick meanwhile. */
const WARM_UPS = 10;

/**
 * What the product adds to agents that work at the speed of real models: a daemon and its workers, against the same
 * calls of the bare AI SDK, which stores nothing. CPU is that of the daemon and of all workers, less that of the bare
 * calls.
 */
export const taxTotal: Bench = {
  name: "tax-total",
  measures:
    "100 agents on a model with 800 ms to the first token, 60 tokens a second and 3 tool calls; the workers count",
  async run({ quick, progress }) {
    const rounds = quick ? 1 : 3;
    const agents = quick ? 10 : 100;
    using folder = temporaryFolder();
    await using model = await spawnServer([MODEL_SERVER]);
    const project = join(folder.path, "project");
    writeTeam(project, agents, model.url);
    const home = join(folder.path, "home");
    await using daemon = await spawnDaemon({ home, project, env: { BENCH_KEY: "bench-0123456789" } });
    using client = await connectToDaemon({ home, projectDir: project });
    const opened = await client.serve({ workflow: "team", until: "started" });
    if (!opened.ok) throw new Error(opened.error.message);
    using team = watchRuns(client);
    for (let i = 0; i < (quick ? 1 : WARM_UPS); i += 1) await team.ask(agents, "w", 0);

    const wall: number[] = [];
    const cpu: number[] = [];
    const memory: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const before = useOfTree(daemon.pid);
      const runMs = await team.ask(agents, "a", APART_MS);
      const after = useOfTree(daemon.pid);
      const bare = await bareCalls(model.url, agents);
      wall.push(runMs / bare.runMs - 1);
      cpu.push((after.cpuMs - before.cpuMs - bare.cpuMs) / agents);
      memory.push(after.pssMb);
      progress(
        `round ${round} of ${rounds}: ${format(runMs)} ms a run against ${format(bare.runMs)} ms, ${format((after.cpuMs - before.cpuMs) / agents)} ms CPU against ${format(bare.cpuMs / agents)} ms`,
      );
    }
    return [
      {
        what: "time a run takes beyond the model's own, as a share of it",
        ratios: wall,
        goal: { atMost: 0.005 },
        detail: `${format(median(wall) * 100)} % more than the same calls without the product`,
      },
      {
        what: "milliseconds of CPU a run of daemon and workers, beyond the same calls made bare",
        ratios: cpu,
        goal: { atMost: 5 },
        detail: `${format(median(cpu))} ms for ${MIXED_CALLS.length + 1} steps and ${MIXED_CALLS.length} tool calls; ${format(median(memory))} MB afterwards`,
      },
    ];
  },
};

function writeTeam(project: string, agents: number, url: string): void {
  mkdirSync(join(project, ".agents"), { recursive: true });
  mkdirSync(join(project, ".workflows"), { recursive: true });
  const names: string[] = [];
  const write = (name: string, model: string): void => {
    names.push(name);
    const provider = `{ name: openai-compatible, base_url: "${url}/own/v1", api_key: $BENCH_KEY }`;
    const tools = `[${MIXED_CALLS.map(({ tool }) => tool).join(", ")}]`;
    const text = `name: ${name}\nmodel: ${model}\nprovider: ${provider}\ntools: ${tools}\nprompt: { system: Work. }\n`;
    writeFileSync(join(project, ".agents", `${name}.yaml`), text);
  };
  for (let i = 1; i <= agents; i += 1) {
    write(`a${i}`, REAL_MODEL);
    write(`w${i}`, QUICK_MODEL);
  }
  const entries = names.map((name) => `  ${name}: { ref: ${name} }\n`).join("");
  writeFileSync(join(project, ".workflows", "team.yaml"), `name: team\nagents:\n${entries}`);
  writeFileSync(join(project, "moniro.yaml"), "defaults:\n  budget: { hops: 1000000, turns: 1000000 }\n");
}

/** Asks agents and says the mean time from the request to the durable end of the run that answers it. */
function watchRuns(
  client: Client,
): Disposable & { ask(agents: number, first: string, apartMs: number): Promise<number> } {
  const waiting = new Map<string, (outcome: string) => void>();
  const over = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const { kind, ...more } of client.watch({ signal: over.signal })) {
      if (kind !== "recorded" || !("event" in more) || more.event.type !== "run.ended" || !("agent" in more.event))
        continue;
      waiting.get(String(more.event.agent))?.(String(more.event.outcome));
    }
  };
  follow().catch(() => {}); // It is cut off in the end.
  const one = async (name: string): Promise<number> => {
    const started = performance.now();
    const ended = new Promise<string>((resolve) => waiting.set(name, resolve));
    const sent = await client.call("send-message", { to: `${name}@team`, message: "Please look." });
    if (!sent.ok) throw new Error(sent.error.message);
    const outcome = await ended;
    if (outcome !== "answered") throw new Error(`the run of ${name} ended as ${outcome}`);
    return performance.now() - started;
  };
  return {
    async ask(agents, first, apartMs) {
      const all = Array.from({ length: agents }, async (_, i) => {
        await pause(i * apartMs);
        return await one(`${first}${i + 1}`);
      });
      return (await Promise.all(all)).reduce((sum, ms) => sum + ms, 0) / agents;
    },
    [Symbol.dispose]: () => over.abort(),
  };
}

async function bareCalls(url: string, runs: number): Promise<{ runMs: number; cpuMs: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    BARE,
    url,
    REAL_MODEL,
    String(runs),
    String(APART_MS),
  ]);
  return JSON.parse(stdout) as { runMs: number; cpuMs: number };
}
