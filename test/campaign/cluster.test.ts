import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { slowTeam, startCluster, type TestCluster } from "../support/postgres/cluster.ts";
import { startServer, type TestServer } from "../support/postgres/server.ts";
import { eventually } from "../support/team/running-project.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

async function rows(cluster: TestCluster, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query(`SET search_path TO ${new URL(cluster.url).searchParams.get("schema") ?? ""}`);
  const result = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return result.rows;
}

/** The events a node streams, as they come: their numbers, and the words of runs. */
async function watch(node: TestCluster["nodes"][number], since = 0) {
  const stopped = new AbortController();
  const response = await node.fetch(`/events?since=${since}&live=1`, {
    signal: stopped.signal,
  });
  const seen = { numbers: [] as number[], text: "", stop: () => stopped.abort(), status: response.status };
  void (async () => {
    for await (const chunk of response.body ?? []) {
      seen.text += Buffer.from(chunk).toString();
      seen.numbers = [...seen.text.matchAll(/^id: (\d+)/gm)].map(([, number]) => Number(number));
    }
  })().catch(() => {});
  return seen;
}

describe("several daemons on one store", () => {
  it("any node answers for the whole project, in one order", async () => {
    await using cluster = await startCluster(server, ["one", "two"], slowTeam(["alice", "bob"], 2, 50));
    const [one, two] = cluster.nodes;
    if (one === undefined || two === undefined) throw new Error("two nodes");
    const seen = await watch(two);
    expect(seen.status).toBe(200);
    const sent = await one.run(["send", "alice", "hello", "--wait"]);
    expect(sent, one.errors()).toMatchObject({ exit: 0, out: expect.stringContaining("answer to hello") });
    expect(await two.run(["peek", "alice"])).toMatchObject({ out: expect.stringContaining("answer to hello") });
    const [last] = await rows(cluster, "SELECT max(seq) AS seq FROM event");
    const count = Number(last?.["seq"]);
    await eventually("the other node streams every event", () => seen.numbers.length >= count);
    expect(seen.numbers).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    // The words of the run came as they were said, besides the events.
    expect(seen.text).toMatch(/event: live|"type":"text"/);
    seen.stop();
  }, 60_000);

  it("[node.hints] a hint that never arrives costs only time: every message is answered once, and every event is streamed", async () => {
    // On this server NOTIFY does nothing.
    await using deaf = await startServer();
    await deaf.query(
      `SET allow_system_table_mods = on;
       CREATE OR REPLACE FUNCTION pg_catalog.pg_notify(text, text) RETURNS void LANGUAGE plpgsql AS 'BEGIN END'`,
    );
    const { ".agents/alice.yaml": alice = "", ...files } = slowTeam(["alice"], 0, 0);
    await using cluster = await startCluster(deaf, ["one", "two"], {
      ...files,
      ".agents/alice.yaml": `${alice}runs_on: { node: two }\n`,
    });
    const [one] = cluster.nodes;
    if (one === undefined) throw new Error("two nodes");
    const seen = await watch(one);
    for (const text of ["first", "second"]) {
      expect(await one.run(["send", "alice", text])).toMatchObject({ exit: 0 });
      const peek = async () => (await one.run(["peek", "alice"])).out;
      await eventually("the other node answers", async () => (await peek()).includes(`answer to ${text}`), 30_000);
    }
    const [last] = await rows(cluster, "SELECT max(seq) AS seq FROM event");
    const count = Number(last?.["seq"]);
    await eventually("every event is streamed", () => seen.numbers.length >= count, 30_000);
    expect(seen.numbers).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    const [answers] = await rows(cluster, "SELECT count(*)::int AS n FROM message WHERE sender = 'alice'");
    expect(answers).toEqual({ n: 2 });
    seen.stop();
  }, 120_000);

  it("[node.hints] sessions that listen are ended again and again: every message is answered once", async () => {
    const { ".agents/alice.yaml": alice = "", ...files } = slowTeam(["alice"], 0, 0);
    await using cluster = await startCluster(server, ["one", "two"], {
      ...files,
      ".agents/alice.yaml": `${alice}runs_on: { node: two }\n`,
    });
    const [one] = cluster.nodes;
    if (one === undefined) throw new Error("two nodes");
    const schema = new URL(cluster.url).searchParams.get("schema") ?? "";
    for (let n = 1; n <= 5; n += 1) {
      await server.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'agent-worker ${schema}%'
           AND (query LIKE 'LISTEN%' OR query = 'SELECT 1')`,
      );
      expect(await one.run(["send", "alice", `number ${n}`])).toMatchObject({ exit: 0 });
    }
    const count = "SELECT count(*)::int AS n FROM delivery WHERE state = 2";
    await eventually("all are answered", async () => (await rows(cluster, count))[0]?.["n"] === 5, 60_000);
    expect(await rows(cluster, "SELECT count(*)::int AS n FROM delivery WHERE state <> 2")).toEqual([{ n: 0 }]);
  }, 120_000);

  it("an agent never works on two nodes at once, and every message is answered once", async () => {
    const agents = ["alice", "bob", "carol"];
    await using cluster = await startCluster(server, ["one", "two", "three"], slowTeam(agents, 3, 20));
    const sent = await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        const node = cluster.nodes[n % 3];
        return node?.run(["send", agents[n % agents.length] ?? "", `message ${n}`]);
      }),
    );
    expect(sent.map((each) => each?.exit)).toEqual(sent.map(() => 0));
    await allAnswered(cluster, 24);
    await expectOneRunEach(cluster);
  }, 90_000);

  it("a node that is killed loses its runs: another goes on after the last finished step", async () => {
    await using cluster = await startCluster(server, ["one", "two"], slowTeam(["alice"], 6, 700));
    const [one, two] = cluster.nodes;
    if (one === undefined || two === undefined) throw new Error("two nodes");
    expect(await one.run(["send", "alice", "hello"])).toMatchObject({ exit: 0 });
    const steps = async (): Promise<number> =>
      Number((await rows(cluster, "SELECT count(*) AS n FROM step"))[0]?.["n"]);
    await eventually("two steps are stored", async () => (await steps()) >= 2, 20_000);
    await one.stop("SIGKILL");
    const killed = performance.now();
    await eventually("another node goes on", async () => (await steps()) >= 4, 30_000);
    const tookOver = performance.now() - killed;
    await allAnswered(cluster, 1);
    await expectOneRunEach(cluster);
    const [run] = await rows(cluster, "SELECT recoveries, fence, state FROM run");
    expect(run).toMatchObject({ state: "ended" });
    expect(Number(run?.["fence"])).toBeGreaterThan(1);
    console.log(`cluster: a killed node was replaced, with one more step, after ${(tookOver / 1000).toFixed(1)} s`);
  }, 90_000);

  it("a node that was paused for longer than its lease changes nothing when it wakes up", async () => {
    await using cluster = await startCluster(server, ["one", "two"], slowTeam(["alice"], 3, 1_500));
    const [one, two] = cluster.nodes;
    if (one === undefined || two === undefined) throw new Error("two nodes");
    expect(await one.run(["send", "alice", "hello"])).toMatchObject({ exit: 0 });
    await eventually(
      "it has begun",
      async () => (await rows(cluster, "SELECT 1 FROM run WHERE state = 'open'")).length === 1,
    );
    process.kill(one.pid, "SIGSTOP");
    try {
      await allAnswered(cluster, 1);
    } finally {
      process.kill(one.pid, "SIGCONT");
    }
    // While it works on the next message, the engine of its old run ends the step it was at: nothing of it is stored.
    expect(await one.run(["send", "alice", "again", "--wait"]), one.errors()).toMatchObject({ exit: 0 });
    await allAnswered(cluster, 2);
    const steps = await rows(cluster, "SELECT count(*) AS n FROM step GROUP BY run");
    expect(steps.map(({ n }) => Number(n))).toEqual([4, 4]);
    await expectOneRunEach(cluster);
  }, 120_000);

  it("the server and nodes are killed under load: nothing is lost, nothing is answered twice", async () => {
    const agents = ["alice", "bob", "carol", "dave"];
    await using cluster = await startCluster(server, ["one", "two", "three"], slowTeam(agents, 3, 50));
    let accepted = 0;
    let sending = true;
    const sender = (async () => {
      for (let n = 0; sending; n += 1) {
        const node = cluster.nodes[n % cluster.nodes.length];
        const answer = await node
          ?.run(["send", agents[n % agents.length] ?? "", `message ${n}`])
          .catch(() => undefined);
        if (answer?.exit === 0) accepted += 1;
      }
    })();
    for (let round = 0; round < 3; round += 1) {
      await eventually("some more are accepted", () => accepted >= (round + 1) * 3, 60_000);
      if (round === 1) {
        await server.kill();
        await server.start();
      } else {
        const victim = cluster.nodes[round === 0 ? 0 : 1];
        await victim?.stop("SIGKILL");
        await cluster.add(`again-${round}`);
      }
    }
    sending = false;
    await sender;
    const [stored] = await rows(cluster, "SELECT count(*) AS n FROM message WHERE sender = 'user'");
    expect(Number(stored?.["n"])).toBeGreaterThanOrEqual(accepted);
    await allAnswered(cluster, Number(stored?.["n"]));
    await expectOneRunEach(cluster);
    console.log(`cluster: ${accepted} messages accepted and answered while two nodes and the server were killed`);
  }, 240_000);
});

/** Every message of the person is settled, and has one answer. */
async function allAnswered(cluster: TestCluster, count: number): Promise<void> {
  await eventually(
    `${count} messages are answered`,
    async () => {
      const [open] = await rows(cluster, "SELECT count(*) AS n FROM delivery WHERE state < 2");
      const [acked] = await rows(cluster, "SELECT count(*) AS n FROM delivery WHERE state = 2");
      return Number(open?.["n"]) === 0 && Number(acked?.["n"]) >= count;
    },
    100_000,
  );
  const dead = await rows(cluster, "SELECT reason FROM delivery WHERE state = 3");
  expect(dead).toEqual([]);
}

/** No finished step was made twice, and the runs of an agent followed one another. */
async function expectOneRunEach(cluster: TestCluster): Promise<void> {
  const overlapping = await rows(
    cluster,
    `SELECT a.id, b.id FROM run a JOIN run b ON a.mailbox = b.mailbox AND a.seq < b.seq
     WHERE a.recoveries = 0 AND b.recoveries = 0 AND b.started_at < a.ended_at - 50`,
  );
  expect(overlapping).toEqual([]);
  const twice = await rows(
    cluster,
    "SELECT cause, count(*) AS n FROM message WHERE sender <> 'user' AND kind <> 'notice' GROUP BY cause HAVING count(*) > 1",
  );
  expect(twice).toEqual([]);
}
