import { fileURLToPath } from "node:url";
import pg from "pg";
import { slowTeam, startCluster } from "../test/support/postgres/cluster.ts";
import { startServer, type TestServer } from "../test/support/postgres/server.ts";
import { format, median, type Bench, type Figure } from "./bench.ts";
import { QUEUE, startBoss } from "./cluster/pg-boss.ts";
import { freshDatabase, send } from "./cluster/turns.ts";
import { startWorker } from "./cluster/worker-process.ts";
import { bareNotify } from "./limits/bare-notify.ts";
import { installTools } from "./support/install-tools.ts";
import { useOfTree } from "./support/process-tree.ts";

const SERVER = fileURLToPath(new URL("../test/postgres", import.meta.url));
const PAUSE_MS = 20;
const IDLE_MS = 10_000;
const KNOWN_MS = 6_000;
const NEVER_MS = "600000";

/** What passes between nodes: waking another one, taking over from one that was killed, and what an idle one costs. */
export const clusterHandOver: Bench = {
  name: "cluster-hand-over",
  measures: "waking another node, taking over from a killed one, and an idle node, beside pg-boss with LISTEN",
  async run({ quick, progress }) {
    installTools(SERVER, progress);
    await using server = await startServer({ settings: { max_connections: "300" } });
    const figures = [...(await wake(server, quick ? 20 : 100))];
    for (const { what, detail } of figures) progress(`${what}: ${detail}`);
    figures.push(await takeOver(server));
    progress(`take-over: ${figures.at(-1)?.detail}`);
    figures.push(...(await idle(server)));
    return figures;
  },
};

async function wake(server: TestServer, count: number): Promise<Figure[]> {
  const files = slowTeam(["alice"], 0, 0);
  const alice = `${files[".agents/alice.yaml"] ?? ""}runs_on: { node: two }\n`;
  await using nodes = await startCluster(server, ["one", "two"], { ...files, ".agents/alice.yaml": alice });
  const [one] = nodes.nodes;
  if (one === undefined) throw new Error("no node");
  await using table = await openRows(nodes.url);
  for (let n = 0; n < count; n += 1) {
    await send(one, "alice", `number ${n}`);
    await until(async () => Number((await table("SELECT count(*) AS n FROM delivery WHERE state >= 2"))[0]?.["n"]) > n);
    await pause(PAUSE_MS);
  }
  const waits = await table(
    "SELECT r.started_at - m.created_at AS ms FROM run r JOIN message m ON m.id = r.cause ORDER BY r.seq",
  );
  const product = waits.slice(1).map(({ ms }) => Math.max(0.5, Number(ms)));
  const bare = await bareNotify(nodes.url, count);
  const boss = await bossWakes(server, count);
  const detail = `${format(median(product))} ms; a bare NOTIFY ${format(median(bare))} ms, pg-boss ${format(median(boss))} ms`;
  return [
    {
      what: "a message on one node until the run begins on another, to a bare NOTIFY",
      ratios: [median(product) / median(bare)],
      goal: { atMost: 30 },
      detail,
    },
    {
      what: "the same, to a job of pg-boss with LISTEN",
      ratios: [median(product) / median(boss)],
      goal: { atMost: 1 },
      detail,
    },
  ];
}

async function bossWakes(server: TestServer, count: number): Promise<number[]> {
  const url = await freshDatabase(server);
  const sender = await startBoss(url);
  await using worker = await startWorker("boss", url, "2", "0");
  const waits: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const start = Date.now();
    await sender.send(QUEUE, { n }, { singletonKey: "alice" });
    await until(async () => worker.begun.length > n);
    waits.push((worker.begun[n] ?? start) - start);
    await pause(PAUSE_MS);
  }
  await sender.stop({ graceful: false });
  return waits.slice(1).map((ms) => Math.max(0.5, ms));
}

/** The node that works is killed during a step. Seconds until another one works on it. */
async function takeOver(server: TestServer): Promise<Figure> {
  const [ours, boss] = [await ourTakeOver(server), await bossTakeOver(server)];
  return {
    what: "a killed node until another works on its run, to a job of pg-boss with a heartbeat",
    ratios: [ours / boss],
    goal: { atMost: 1 },
    detail: `${format(ours / 1000)} s against ${format(boss / 1000)} s`,
  };
}

async function ourTakeOver(server: TestServer): Promise<number> {
  await using nodes = await startCluster(server, ["one", "two"], slowTeam(["alice"], 1, Number(NEVER_MS)));
  const [one, two] = nodes.nodes;
  if (one === undefined || two === undefined) throw new Error("no nodes");
  await using table = await openRows(nodes.url);
  await send(two, "alice", "hello");
  const owner = async () => (await table("SELECT holder AS owner, fence FROM run WHERE ended_at IS NULL"))[0];
  await until(async () => (await owner())?.["owner"] != null);
  const first = await owner();
  const instance = (await table("SELECT name, instance FROM node")).find(
    (each) => each["instance"] === first?.["owner"],
  );
  // Nodes that have worked for a while know each other's connections.
  await pause(KNOWN_MS);
  const start = performance.now();
  process.kill(instance?.["name"] === "one" ? one.pid : two.pid, "SIGKILL");
  await until(async () => {
    const now = await owner();
    return now !== undefined && now["owner"] !== first?.["owner"] && now["fence"] !== first?.["fence"];
  });
  return performance.now() - start;
}

async function bossTakeOver(server: TestServer): Promise<number> {
  const url = await freshDatabase(server);
  const sender = await startBoss(url);
  await using first = await startWorker("boss", url, "2", NEVER_MS);
  await sender.send(QUEUE, {}, { singletonKey: "alice" });
  await until(async () => first.begun.length > 0);
  await using second = await startWorker("boss", url, "2", NEVER_MS);
  const start = performance.now();
  first.kill();
  await until(async () => second.begun.length > 0);
  await sender.stop({ graceful: false });
  return performance.now() - start;
}

/** CPU and transactions of a node that has nothing to do. */
async function idle(server: TestServer): Promise<Figure[]> {
  const ours = await (async () => {
    await using nodes = await startCluster(server, ["one"], slowTeam(["alice"], 0, 0));
    const [one] = nodes.nodes;
    if (one === undefined) throw new Error("no node");
    await send(one, "alice", "hello");
    return await idleUse(nodes.url, one.pid);
  })();
  const boss = await (async () => {
    const url = await freshDatabase(server);
    await using worker = await startWorker("boss", url, "2", "0", "idle");
    return await idleUse(url, worker.pid);
  })();
  return [
    {
      what: "CPU of an idle node, to an idle pg-boss with LISTEN",
      ratios: [ours.cpu / boss.cpu],
      goal: { atMost: 1.5 },
      detail: `${format(ours.cpu)} ms a second against ${format(boss.cpu)} ms`,
    },
    {
      what: "transactions of an idle node, to those of an idle pg-boss with LISTEN",
      ratios: [ours.transactions / boss.transactions],
      goal: { atMost: 1.5 },
      detail: `${format(ours.transactions)} a second against ${format(boss.transactions)}`,
    },
  ];
}

async function idleUse(url: string, pid: number): Promise<{ readonly cpu: number; readonly transactions: number }> {
  await pause(5_000);
  await using table = await openRows(url);
  const look = async () => ({
    cpu: useOfTree(pid).cpuMs,
    transactions: Number(
      (await table("SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()"))[0]?.["n"],
    ),
  });
  const before = await look();
  await pause(IDLE_MS);
  const after = await look();
  const seconds = IDLE_MS / 1000;
  return {
    cpu: Math.max(0.1, (after.cpu - before.cpu) / seconds),
    transactions: (after.transactions - before.transactions) / seconds,
  };
}

type Rows = ((sql: string) => Promise<Record<string, unknown>[]>) & AsyncDisposable;

async function openRows(url: string): Promise<Rows> {
  const schema = new URL(url).searchParams.get("schema") ?? "public";
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  client.on("error", () => {});
  await client.connect();
  const rows = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
  return Object.assign(rows, { [Symbol.asyncDispose]: () => client.end() });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(2);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
