import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { createPageSessions } from "../src/daemon/page-sessions.ts";
import { createPersonToken, type PersonToken } from "../src/daemon/person-token.ts";
import { createHttpServer } from "../src/http/server.ts";
import { person } from "../src/kernel/caller.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { silentLog } from "../src/testing/silent-log.ts";
import { ok } from "../src/kernel/result.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import type { DaemonContext } from "../src/runtime/daemon-context.ts";
import type { RunningProject } from "../src/runtime/running-project.ts";
import { format, median, perSecond, type Bench, type Figure } from "./bench.ts";
import { answer, listening, readJson, serveFlushedHello, serveGroupedInserts } from "./limits/http-durable.ts";
import type { LimitServer } from "./limits/http-durable.ts";
import type { Load, LoadResult } from "./support/http-load.ts";
import { openReviewProject } from "./support/review-project.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { NEVER_HELD } from "../test/support/daemon/never-held.ts";

const CONNECTIONS = [1, 10, 64] as const;
/** The least code with the same rows; Node's server with the product's transaction; hello and a flush. */
const SERVERS = ["product", "rows", "transaction", "hello"] as const;
type ServerName = (typeof SERVERS)[number];

/** A message with two deliveries over HTTP, with every check of the product, durable before the answer. */
export const restSend: Bench = {
  name: "rest-send",
  measures: "POST /send per second on 1, 10 and 64 connections, answered after the flush to disk",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 4;
    const token = createPersonToken();
    using folder = temporaryFolder();
    const local = await openReviewProject(join(folder.path, "project"));
    await using servers = new AsyncDisposableStack();
    servers.use(local);
    const ports: Record<ServerName, number> = {
      product: servers.use(await serveProduct(local.project, token)).port,
      rows: servers.use(await serveGroupedInserts(join(folder.path, "rows.db"))).port,
      transaction: servers.use(await serveTransaction(local.project)).port,
      hello: servers.use(await serveFlushedHello(join(folder.path, "flushed.log"))).port,
    };
    const results = new Map<string, LoadResult[]>();
    for (let round = 0; round <= rounds; round += 1) {
      for (const connections of CONNECTIONS) {
        for (const name of SERVERS) {
          if (name === "hello" && connections > 1) continue;
          const count = countFor(connections, quick);
          const result = await generateLoad({ port: ports[name], token: token.text, connections, count });
          if (round === 0) continue; // warms up the compiler on all sides
          results.set(`${name} ${connections}`, [...(results.get(`${name} ${connections}`) ?? []), result]);
        }
      }
      progress(`round ${round} of ${rounds}`);
    }

    const rates = (name: ServerName, connections: number): number[] =>
      (results.get(`${name} ${connections}`) ?? []).map(({ ms }) => perSecond(countFor(connections, quick), ms));
    const rateFigure = (limit: ServerName, what: string, connections: number, goal: number): Figure => {
      const [own, bare] = [rates("product", connections), rates(limit, connections)];
      return {
        what: `${connections} connections, to ${what}`,
        ratios: own.map((rate, round) => rate / (bare[round] ?? Number.NaN)),
        goal: { atLeast: goal },
        detail: `${format(median(own))}/s against ${format(median(bare))}/s`,
      };
    };
    const p50s = (name: ServerName): number[] => (results.get(`${name} 1`) ?? []).map(({ p50 }) => p50);
    const [own, hello] = [p50s("product"), p50s("hello")];
    return [
      rateFigure("rows", "node:http with the same rows in a grouped transaction", 64, 0.8),
      rateFigure("rows", "the same", 10, 0.6),
      rateFigure("rows", "the same", 1, 0.6),
      rateFigure("transaction", "node:http with the product's own transaction and no checks", 64, 0.85),
      {
        what: "the median on 1 connection, to hello with a flush",
        ratios: own.map((p50, round) => p50 / (hello[round] ?? Number.NaN)),
        goal: { atMost: 1.35 },
        detail: `${format(median(own))} ms against ${format(median(hello))} ms`,
      },
    ];
  },
};

function countFor(connections: number, quick: boolean): number {
  return (connections === 1 ? 1_000 : 8_000) / (quick ? 10 : 1);
}

async function generateLoad(load: Load): Promise<LoadResult> {
  const program = join(import.meta.dirname, "support", "http-load.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(load)]);
  return JSON.parse(stdout) as LoadResult;
}

type Sender = Pick<RunningProject, "system">;

/** What HTTP and its checks cost on top of the transaction is the difference to this. */
function serveTransaction({ system }: Sender): Promise<LimitServer> {
  const server = createServer((request, response) => {
    readJson(request, (body) => {
      void system.call(person, sendMessage, body).then((receipt) => answer(response, receipt.ok ? receipt.value : {}));
    });
  });
  return listening(server, () => {});
}

/** The server as the daemon composes it, around a project whose loops do not run: nobody takes the messages away. */
async function serveProduct(project: Omit<RunningProject, "runtime" | "workflows">, token: PersonToken) {
  const atRest: RunningProject = {
    ...project,
    get runtime(): never {
      throw new Error("nothing runs here");
    },
    get workflows(): never {
      throw new Error("nothing runs here");
    },
  };
  const daemon: DaemonContext = {
    version: "0.0.0",
    node: "bench",
    instance: "bench",
    url: () => "http://127.0.0.1:1",
    phase: () => "ready",
    problems: () => [],
    keys: async () => [],
    hold: NEVER_HELD,
    project: async () => ok(atRest),
    openProjects: () => [atRest],
    identify: (given) => (token.matches(given) ? { kind: "person" } : undefined),
    page: createPageSessions(systemClock),
    prove: token.prove,
    runCredentials: { size: 0 },
    shutdown: () => {},
  };
  const mcp = () => Promise.reject(new Error("nobody asks for it"));
  const server = createHttpServer({ daemon, mcp, log: silentLog, clock: systemClock });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  return { port, [Symbol.asyncDispose]: () => server.close() };
}
