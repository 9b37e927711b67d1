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
});
