import pg from "pg";
import { slowTeam, startCluster, type TestCluster } from "../../test/support/postgres/cluster.ts";
import type { TestServer } from "../../test/support/postgres/server.ts";
import { perSecond } from "../bench.ts";
import { BareStore } from "./bare-store.ts";
import { QUEUE, startBoss } from "./pg-boss.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

/** What is done: so many turns of these agents, with engines that take so long, so many at once on each node. */
export interface Load {
  readonly agents: readonly string[];
  readonly count: number;
  readonly stepMs: number;
  readonly capacity: number;
}

/** How many turns a second so many nodes do. */
export type Rate = (server: TestServer, nodes: number, load: Load) => Promise<number>;

export const ourTurns: Rate = async (server, nodes, { agents, count, stepMs, capacity }) => {
  const names = Array.from({ length: nodes }, (_, n) => `node${n}`);
  const files = slowTeam(agents, stepMs === 0 ? 0 : 1, stepMs);
  await using cluster = await startCluster(server, names, files, { AGENT_WORKER_CAPACITY: String(capacity) });
  await using table = await openTable(cluster.url, "SELECT count(*) AS n FROM delivery WHERE state >= 2");
  for (const [n, node] of cluster.nodes.entries()) await send(node, agents[n] ?? "", "to begin with");
  await table.reaches(nodes);
  return await measured({ agents, count }, table, nodes, async (agent, n) => {
    const node = cluster.nodes[n % nodes];
    if (node !== undefined) await send(node, agent, `number ${n}`);
  });
};

export const bareTurns: Rate = async (server, nodes, { agents, count, stepMs, capacity }) => {
  const url = server.freshUrl();
  await BareStore.create(url);
  await using workers = await startWorkers("bare", nodes, url, String(capacity), String(stepMs));
  void workers;
  const senders = await Promise.all(Array.from({ length: nodes }, () => BareStore.open(url)));
  await using table = await openTable(url, "SELECT count(*) AS n FROM delivery WHERE state >= 2");
  const rate = await measured({ agents, count }, table, 0, async (agent, n) => senders[n % nodes]?.accept(agent));
  for (const sender of senders) await sender.end();
  return rate;
};

export const bossTurns: Rate = async (server, nodes, { agents, count, stepMs, capacity }) => {
  const url = await freshDatabase(server);
  const sender = await startBoss(url);
  await using workers = await startWorkers("boss", nodes, url, String(capacity), String(stepMs));
  void workers;
  await using table = await openTable(url, "SELECT count(*) AS n FROM pgboss.job WHERE state = 'completed'");
  const rate = await measured({ agents, count }, table, 0, (agent) =>
    sender.send(QUEUE, { agent }, { singletonKey: agent }),
  );
  await sender.stop({ graceful: false });
  return rate;
};

/** A run answers all messages that wait: so each agent is asked again only when all have answered. */
async function measured(
  { agents, count }: Pick<Load, "agents" | "count">,
  table: CountedTable,
  before: number,
  ask: (agent: string, n: number) => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  for (let asked = 0; asked < count; asked += agents.length) {
    await Promise.all(agents.map((agent, n) => ask(agent, asked + n)));
    await table.reaches(before + asked + agents.length);
  }
  return perSecond(count, performance.now() - start);
}

async function startWorkers(
  kind: "bare" | "boss",
  count: number,
  ...args: readonly string[]
): Promise<AsyncDisposable> {
  const workers: WorkerProcess[] = [];
  for (let n = 0; n < count; n += 1) workers.push(await startWorker(kind, ...args));
  return {
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker[Symbol.asyncDispose]();
    },
  };
}

let databases = 0;

/** pg-boss has one schema for a database, so each measurement gets one. */
export async function freshDatabase(server: TestServer): Promise<string> {
  const name = `boss_${(databases += 1)}`;
  const client = new pg.Client({ connectionString: server.urlOf("public").replace(/\?.*/, "") });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return server.urlOf("public").replace(/\/team\?.*/, `/${name}`);
}

interface CountedTable extends AsyncDisposable {
  reaches(count: number): Promise<void>;
}

async function openTable(url: string, sql: string): Promise<CountedTable> {
  const schema = new URL(url).searchParams.get("schema") ?? "public";
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  client.on("error", () => {});
  await client.connect();
  return {
    async reaches(count) {
      for (;;) {
        const { rows } = await client.query<{ readonly n: string }>(sql);
        if (Number(rows[0]?.n) >= count) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

export async function send(node: TestCluster["nodes"][number], to: string, message: string): Promise<void> {
  const response = await node.fetch("/send", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ to, message }),
  });
  const said = await response.text();
  if (!response.ok) throw new Error(said);
}
