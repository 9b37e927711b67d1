import pg from "pg";
import { slowTeam, startCluster, type TestCluster } from "../test/support/postgres/cluster.ts";
import { startServer, type TestServer } from "../test/support/postgres/server.ts";
import { format, median, perSecond, type Bench, type BenchOptions, type Figure } from "./bench.ts";
import { bareNotify } from "./limits/bare-notify.ts";

const AGENTS = Array.from({ length: 12 }, (_, n) => `agent-${n}`);
const STEP_MS = 50;
/** Each node does little at once, so that the work waits for engines and not for this machine. */
const CAPACITY = "2";

/**
 * Daemons on one PostgreSQL. Needs `npm ci --prefix test/postgres`. The server, the daemons and the sender share this
 * machine, so more nodes than cores show the overhead and not the gain.
 */
export const cluster: Bench = {
  name: "cluster",
  measures: "turns of two nodes to those of one on engines that take 50 ms, and waking another node to a bare NOTIFY",
  async run(options) {
    await using server = await startServer();
    return [await moreNodes(server, options), await wakeElsewhere(server, options)];
  },
};

async function moreNodes(server: TestServer, { quick, progress }: BenchOptions): Promise<Figure> {
  const count = AGENTS.length * (quick ? 4 : 12);
  const rates = { one: [] as number[], two: [] as number[] };
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    rates.one.push(await turns(server, ["one"], count));
    rates.two.push(await turns(server, ["one", "two"], count));
    progress(
      `round ${round + 1}: ${format(rates.one.at(-1) ?? 0)}/s with one node, ${format(rates.two.at(-1) ?? 0)}/s with two`,
    );
  }
  return {
    what: "turns of two nodes to those of one",
    ratios: rates.two.map((rate, round) => rate / (rates.one[round] ?? Number.NaN)),
    goal: { atLeast: 1.6 },
    detail: `${format(median(rates.two))}/s against ${format(median(rates.one))}/s`,
  };
}

async function turns(server: TestServer, names: readonly string[], count: number): Promise<number> {
  const files = slowTeam(AGENTS, 1, STEP_MS);
  await using nodes = await startCluster(server, names, files, { AGENT_WORKER_CAPACITY: CAPACITY });
  for (const node of nodes.nodes) await send(node, AGENTS[0] ?? "", "to begin with");
  await settled(nodes, names.length);
  const start = performance.now();
  // A run answers all messages that wait: so each agent is asked again only when all have answered.
  for (let asked = 0; asked < count; asked += AGENTS.length) {
    await Promise.all(
      AGENTS.map(async (agent, n) => {
        const node = nodes.nodes[n % nodes.nodes.length];
        if (node !== undefined) await send(node, agent, `number ${asked + n}`);
      }),
    );
    await settled(nodes, names.length + asked + AGENTS.length);
  }
  return perSecond(count, performance.now() - start);
}

async function wakeElsewhere(server: TestServer, { quick }: BenchOptions): Promise<Figure> {
  const count = quick ? 20 : 100;
  const files = slowTeam(["alice"], 0, STEP_MS);
  const alice = `${files[".agents/alice.yaml"] ?? ""}runs_on: { node: two }\n`;
  await using nodes = await startCluster(server, ["one", "two"], { ...files, ".agents/alice.yaml": alice });
  const [one] = nodes.nodes;
  if (one === undefined) throw new Error("no node");
  for (let n = 0; n < count; n += 1) {
    await send(one, "alice", `number ${n}`);
    await settled(nodes, n + 1);
  }
  const waits = await rows(
    nodes,
    "SELECT r.started_at - m.created_at AS ms FROM run r JOIN message m ON m.id = r.cause ORDER BY r.seq",
  );
  const product = waits.slice(1).map(({ ms }) => Math.max(0.5, Number(ms)));
  const bare = await bareNotify(nodes.url, count);
  return {
    what: "a message on one node until the run begins on another, to a bare NOTIFY",
    ratios: [median(product) / median(bare)],
    goal: { atMost: 30 },
    detail: `${format(median(product))} ms against ${format(median(bare))} ms`,
  };
}

async function send(node: TestCluster["nodes"][number], to: string, message: string): Promise<void> {
  const response = await node.fetch("/send", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ to, message }),
  });
  if (!response.ok) throw new Error(await response.text());
}

async function settled(nodes: TestCluster, count: number): Promise<void> {
  for (;;) {
    const [row] = await rows(nodes, "SELECT count(*) AS n FROM delivery WHERE state >= 2");
    if (Number(row?.["n"]) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const clients = new WeakMap<TestCluster, pg.Pool>();

async function rows(nodes: TestCluster, sql: string): Promise<Record<string, unknown>[]> {
  const schema = new URL(nodes.url).searchParams.get("schema") ?? "";
  let pool = clients.get(nodes);
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: nodes.url, max: 1, options: `-c search_path=${schema}` });
    pool.on("error", () => {});
    clients.set(nodes, pool);
  }
  return (await pool.query<Record<string, unknown>>(sql)).rows;
}
