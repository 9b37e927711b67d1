import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Client } from "../src/client/client.ts";
import { connectToDaemon } from "../src/client/connect.ts";
import { format, median, type Bench } from "./bench.ts";
import { useOfTree } from "./support/process-tree.ts";
import { spawnDaemon } from "./support/spawned-daemon.ts";
import { spawnServer } from "./support/spawned-server.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const MODEL_SERVER = fileURLToPath(new URL("support/model-server.ts", import.meta.url));
const BARE = fileURLToPath(new URL("limits/bare-sdk.ts", import.meta.url));
const THINKS_MS = 200;
const STEPS = 4;
const LOOK_MS = 25;
const SENDERS = 8;

interface Spent {
  readonly ms: number;
  readonly cpuMs: number;
  readonly pssMb: number;
  readonly processes: number;
}

/** Many agents that work at once on the model API: the daemon and all its workers, against the bare AI SDK. */
export const concurrency: Bench = {
  name: "concurrency",
  measures: `agents at once, ${STEPS} steps each, on a model that thinks ${THINKS_MS} ms; the workers count`,
  async run({ quick, progress }) {
    const agents = quick ? 20 : Number(process.env["BENCH_RUNS"] ?? 100);
    const rounds = quick ? 1 : 3;
    using folder = temporaryFolder();
    await using model = await spawnServer([MODEL_SERVER, String(THINKS_MS), String(STEPS - 1)]);
    const project = join(folder.path, "project");
    writeAgents(project, agents, model.url);
    const home = join(folder.path, "home");
    await using daemon = await spawnDaemon({ home, project, env: { BENCH_KEY: "bench-0123456789" } });
    using client = await connectToDaemon({ home, projectDir: project });
    await answerAll(client, daemon.pid, Math.min(agents, 4)); // starts the processes of the engine

    const product: Spent[] = [];
    const bare: { ms: number; cpuMs: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const own = await answerAll(client, daemon.pid, agents);
      const floor = await bareCalls(model.url, agents);
      product.push(own);
      bare.push(floor);
      progress(
        `round ${round} of ${rounds}: ${format(own.ms)} ms, ${format(own.cpuMs / agents / STEPS)} ms CPU a step, ${format(own.pssMb)} MB in ${own.processes} processes, against ${format(floor.ms)} ms and ${format(floor.cpuMs / agents / STEPS)} ms`,
      );
    }
    const perStep = (cpuMs: number): number => cpuMs / agents / STEPS;
    const mb = product.map(({ pssMb }) => pssMb);
    return [
      {
        what: "time to the bare AI SDK, which stores nothing",
        ratios: product.map(({ ms }, round) => ms / (bare[round]?.ms ?? Number.NaN)),
        goal: { atMost: 1.6 },
        detail: `${format(median(product.map(({ ms }) => ms)))} ms against ${format(median(bare.map(({ ms }) => ms)))} ms for ${agents} agents`,
      },
      {
        what: "CPU to the bare AI SDK",
        ratios: product.map(({ cpuMs }, round) => cpuMs / (bare[round]?.cpuMs ?? Number.NaN)),
        goal: { atMost: 3 },
        detail: `${format(perStep(median(product.map(({ cpuMs }) => cpuMs))))} ms a step against ${format(perStep(median(bare.map(({ cpuMs }) => cpuMs))))} ms`,
      },
      {
        what: "memory to 500 MB",
        ratios: mb.map((each) => each / 500),
        goal: { atMost: 1 },
        detail: `${format(median(mb))} MB in ${median(product.map(({ processes }) => processes))} processes at most`,
      },
    ];
  },
};

function writeAgents(project: string, count: number, url: string): void {
  mkdirSync(join(project, ".agents"), { recursive: true });
  for (let number = 1; number <= count; number += 1) {
    const provider = `{ name: anthropic, base_url: "${url}/v1", api_key: $BENCH_KEY }`;
    const text = `name: a${number}\nmodel: fake\nprovider: ${provider}\nprompt: { system: Answer. }\n`;
    writeFileSync(join(project, ".agents", `a${number}.yaml`), text);
  }
}

/** Sends a message to each agent and waits until all are answered. */
async function answerAll(client: Client, pid: number, agents: number): Promise<Spent> {
  const before = useOfTree(pid);
  const started = performance.now();
  let over = false;
  const watched = watch(pid, () => over);
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < agents) {
      const sent = await client.call("send-message", { to: `a${(next += 1)}`, message: "Please look." });
      if (!sent.ok) throw new Error(sent.error.message);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  for (let open = agents; open > 0; await pause(LOOK_MS)) {
    const [project] = (await client.health()).projects;
    open = (project?.pending ?? 0) + (project?.running ?? 0);
  }
  const ms = performance.now() - started;
  over = true;
  const most = await watched;
  const dead = await client.call("list-dead-letters", {});
  if (!dead.ok || dead.value.deliveries.length > 0) throw new Error("not every agent answered");
  return { ms, cpuMs: useOfTree(pid).cpuMs - before.cpuMs, ...most };
}

async function watch(pid: number, over: () => boolean): Promise<{ pssMb: number; processes: number }> {
  const most = { pssMb: 0, processes: 0 };
  while (!over()) {
    const { pssMb, processes } = useOfTree(pid);
    most.pssMb = Math.max(most.pssMb, pssMb);
    most.processes = Math.max(most.processes, processes);
    await pause(LOOK_MS * 4);
  }
  return most;
}

async function bareCalls(url: string, runs: number): Promise<{ ms: number; cpuMs: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [BARE, url, String(runs), String(STEPS)]);
  return JSON.parse(stdout) as { ms: number; cpuMs: number };
}
