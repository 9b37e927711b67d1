import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleCommands } from "../bin/quick/bundle-commands.mts";
import { connectToDaemon } from "../src/client/connect.ts";
import { readDiscovery } from "../src/client/discovery.ts";
import { format, median, type Bench, type Figure } from "./bench.ts";
import { fillHistory } from "./support/fill-history.ts";
import { writeManyAgents } from "./support/many-agents.ts";
import { writeSmallPrograms } from "./support/program-time.ts";
import { readEvents } from "./support/read-events.ts";
import { openReviewProject } from "./support/review-project.ts";
import { spawnDaemon } from "./support/spawned-daemon.ts";
import { spawnServer, type SpawnedServer } from "./support/spawned-server.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const EVENT_CLIENTS = 100;
const GOAL_MEGABYTES = 100;
const GOAL_BYTES_PER_AGENT = 3 * 1024;

/** What the daemon costs while nobody uses it: the wait for it, its memory, and what one more idle agent adds. */
export const daemon: Bench = {
  name: "daemon",
  measures: "from the start of the process to /health, memory when idle, and bytes for each idle agent",
  async run({ quick, progress }) {
    await bundleCommands("src");
    const agents = quick ? 100 : 1_000;
    const messages = quick ? 20_000 : 1_000_000;
    using folder = temporaryFolder();
    const project = join(folder.path, "project");
    const home = join(folder.path, "home");
    progress(`writing ${format(agents)} agents and ${format(messages)} messages`);
    await (await openReviewProject(project))[Symbol.asyncDispose]();
    fillHistory(join(project, ".workspace", "agent-worker.db"), messages, 0);
    writeManyAgents(project, agents);
    const { hello } = writeSmallPrograms(folder.path);
    const startDaemon = (): Promise<SpawnedServer> => spawnDaemon({ home, project });

    const rounds = quick ? 2 : 5;
    const times = { hello: [] as number[], daemon: [] as number[], project: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      const bare = await untilHealthy(() => spawnServer([hello]));
      const own = await untilHealthy(startDaemon, async () => void (await askAgents(home, project)));
      if (round === 0) continue; // fills caches
      times.hello.push(bare.ms);
      times.daemon.push(own.ms);
      times.project.push(own.afterMs);
    }
    const megabytes = await idleMemory(startDaemon, home, project);
    const [few, many] = [1, 2].map((times_) => join(folder.path, `heap-${times_}`)) as [string, string];
    writeManyAgents(few, agents);
    writeManyAgents(many, agents * 2);
    const bytes = (heapOf(join(folder.path, "home-2"), many) - heapOf(join(folder.path, "home-1"), few)) / agents;
    const startFigure: Figure = {
      what: "start to a hello server",
      ratios: times.daemon.map((time, round) => time / (times.hello[round] ?? Number.NaN)),
      goal: { atMost: 5 },
      detail: `${format(median(times.daemon))} ms against ${format(median(times.hello))} ms, with ${format(messages)} messages and ${format(agents)} agents; the first answer about the project after ${format(median(times.project))} ms more`,
    };
    return [
      startFigure,
      {
        what: `memory to ${GOAL_MEGABYTES} MB`,
        ratios: [megabytes / GOAL_MEGABYTES],
        goal: { atMost: 1 },
        detail: `${format(megabytes)} MB resident, idle with ${format(agents)} agents and ${EVENT_CLIENTS} event clients`,
      },
      {
        what: "an idle agent to 3 KB",
        ratios: [bytes / GOAL_BYTES_PER_AGENT],
        goal: { atMost: 1 },
        detail: `${format(bytes)} bytes of heap, its definition included`,
      },
    ];
  },
};

/** Milliseconds from spawning a server to its answer, and how long `after` took then. */
async function untilHealthy(start: () => Promise<SpawnedServer>, after: () => Promise<void> = async () => {}) {
  const started = performance.now();
  await using server = await start();
  await (await fetch(`${server.url}/health`)).text();
  const healthy = performance.now();
  await after();
  return { ms: healthy - started, afterMs: performance.now() - healthy };
}

async function askAgents(home: string, projectDir: string): Promise<number> {
  using client = await connectToDaemon({ home, projectDir });
  const listed = await client.call("list-agents", {});
  if (!listed.ok) throw new Error(listed.error.message);
  return listed.value.agents.length;
}

/** What was needed for the answers just given is not idle yet. */
const SETTLED_MS = 3_000;

async function idleMemory(start: () => Promise<SpawnedServer>, home: string, project: string): Promise<number> {
  await using server = await start();
  await askAgents(home, project);
  const registration = readDiscovery(home);
  if (registration.state !== "claimed") throw new Error("the daemon is not registered");
  const streams = await Promise.all(
    Array.from({ length: EVENT_CLIENTS }, () => readEvents({ url: server.url, token: registration.daemon.token })),
  );
  await sleep(SETTLED_MS);
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1];
  for (const stream of streams) stream.destroy();
  return Number(resident) / 1024;
}

function heapOf(home: string, project: string): number {
  const program = fileURLToPath(new URL("support/idle-heap.ts", import.meta.url));
  return Number(execFileSync(process.execPath, ["--expose-gc", program, home, project], { encoding: "utf8" }));
}
