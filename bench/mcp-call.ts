import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { callTeamTool } from "../src/operations/tools/team-tools.ts";
import { openMcpRig } from "../test/support/daemon/mcp-rig.ts";
import { format, median, perSecond, type Bench, type Figure } from "./bench.ts";
import { startJsonRpcHandler } from "./limits/json-rpc-handler.ts";

const ALICE = { kind: "agent", name: "alice", space: "@review:main", run: null, cause: null } as const;

/** A tool that must be on disk before it answers, through the whole server, against the least that could answer. */
export const mcpCall: Bench = {
  name: "mcp-call",
  measures: "channel_send over MCP with the official client: every check, durable before the answer",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const count = quick ? 50 : 400;
    await using rig = await openMcpRig();
    using run = await rig.openFor("alice");
    await using limit = await startJsonRpcHandler(async (name, args) => {
      const { content, structured } = await callTeamTool(rig.project.system, ALICE, name, args);
      return { text: content, data: structured };
    });
    await using product = await connect(rig.url, run.token);
    await using bare = await connect(limit.url, run.token);
    const figures: Figure[] = [];
    for (const atOnce of [1, 16]) {
      const ratios: number[] = [];
      const times = { product: [] as number[], limit: [] as number[] };
      for (let round = 0; round <= rounds; round += 1) {
        const took = { product: 0, limit: 0 };
        for (let slice = 0; slice < SLICES; slice += 1) {
          took.product += await timed(product.client, count / SLICES, atOnce);
          took.limit += await timed(bare.client, count / SLICES, atOnce);
        }
        if (round === 0) continue;
        times.product.push(took.product);
        times.limit.push(took.limit);
        ratios.push(took.product / took.limit);
        progress(`${atOnce} at once, round ${round} of ${rounds}: ${format(perSecond(count, took.product))}/s`);
      }
      figures.push({
        what: `time to a hand-written handler with the same client and the same transaction, ${atOnce} at once`,
        ratios,
        goal: { atMost: 1.25 },
        detail: `${format(perSecond(count, median(times.product)))}/s against ${format(perSecond(count, median(times.limit)))}/s`,
      });
    }
    return figures;
  },
};

/** A round alternates between the two often, so that what else the machine does hits both. */
const SLICES = 10;

async function connect(url: string, token: string): Promise<{ readonly client: Client } & AsyncDisposable> {
  const client = new Client({ name: "bench", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

async function timed(client: Client, count: number, atOnce: number): Promise<number> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await client.callTool({ name: "channel_send", arguments: { message: `item ${next} is done` } });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  return performance.now() - started;
}
