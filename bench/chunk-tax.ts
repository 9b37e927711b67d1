import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openRunningProject } from "../src/daemon/running-project.ts";
import { createSdkEngine } from "../src/engines/sdk/sdk-engine.ts";
import { startRequestServer, type RequestServer } from "../test/support/daemon/request-server.ts";
import { format, median, type Bench } from "./bench.ts";
import { relayChunks } from "./limits/chunk-relay.ts";
import { localOptions } from "./support/local-options.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const WORKER = fileURLToPath(new URL("./support/chunk-worker.ts", import.meta.url));

/** A daemon lives long: what its code costs before it is compiled well does not count. */
const WARM_UPS = 4;

/** What a word costs this process on its way from the worker that hears it to a client of `POST /run`. */
export const chunkTax: Bench = {
  name: "chunk-tax",
  measures: "CPU of the daemon for each streamed piece of text, from the worker process to a watching client",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const pieces = quick ? 5_000 : 20_000;
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, ".agents"));
    const definition = "model: fake\nprovider: { name: anthropic, api_key: $BENCH_KEY }\nprompt: { system: Answer. }\n";
    writeFileSync(join(folder.path, ".agents", "zoe.yaml"), `name: zoe\n${definition}`);
    const options = localOptions(folder.path);
    const env = { ...options.env, BENCH_KEY: "bench-0123456789" };
    await using engine = createSdkEngine({ ...options, env, workerEntry: WORKER, poolSize: 1 });
    await using project = await openRunningProject({ ...options, env, engines: new Map([["sdk", engine]]) });
    await using server = await startRequestServer(project);
    const ratios: number[] = [];
    const micros = { product: [] as number[], bare: [] as number[] };
    for (let round = 1 - WARM_UPS; round <= rounds; round += 1) {
      // A message has its own cost, however long the answer: it is not the pieces'.
      const product = ((await answered(server, pieces)) - (await answered(server, 0))) / pieces;
      const bare = ((await relayChunks(WORKER, pieces)) - (await relayChunks(WORKER, 0))) / pieces;
      if (round < 1) continue;
      ratios.push(product / bare);
      micros.product.push(product);
      micros.bare.push(bare);
      progress(`round ${round} of ${rounds}: ${format(product)} us against ${format(bare)} us`);
    }
    return [
      {
        // 4 us where a bare relay takes 1.2 us.
        what: "to a bare relay",
        ratios,
        goal: { atMost: 3.3 },
        detail: `${format(median(micros.product))} us a piece against ${format(median(micros.bare))} us`,
      },
    ];
  },
};

/** CPU time of an workRequest in microseconds. The client is in this process too, and only throws away what it gets. */
async function answered(server: RequestServer, pieces: number): Promise<number> {
  const body = JSON.stringify({ agent: "zoe", message: `say ${pieces} pieces` });
  const before = process.cpuUsage();
  const client = connect(Number(new URL(server.url).port), "127.0.0.1");
  const head = `POST /run HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  client.write(`${head}\r\n\r\n${body}`);
  let tail = "";
  client.on("data", (bytes: Buffer) => (tail = bytes.toString("latin1", Math.max(0, bytes.length - 600))));
  await new Promise<void>((resolve) => void client.once("end", resolve));
  const { user, system } = process.cpuUsage(before);
  client.destroy();
  if (!tail.includes('"success":true')) throw new Error(`the workRequest failed: ${tail}`);
  return user + system;
}
