import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAnthropic } from "@ai-sdk/anthropic";
import { streamText } from "ai";
import { openRunningProject, type DaemonProject } from "../src/daemon/running-project.ts";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { format, median, type Bench } from "./bench.ts";
import { openDurableCommits } from "./limits/durable-commit.ts";
import { localOptions } from "./support/local-options.ts";
import { useOfTree, type TreeUse } from "./support/process-tree.ts";
import { spawnServer } from "./support/spawned-server.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const MODEL_SERVER = fileURLToPath(new URL("support/model-server.ts", import.meta.url));
/** /proc counts CPU in units of 10 ms: it is read around this many messages. */
const BATCH = 20;
const WARM_UPS = 1;

/**
 * A direct message answered by a model that takes no time, through the worker process, against the bare call. The model
 * server has a process of its own; batches of messages and of bare calls take turns. CPU is that of this process and of
 * the workers.
 */
export const stepOverhead: Bench = {
  name: "step-overhead",
  measures:
    "a message answered by the sdk engine on a model server that answers at once, receipt to settled; the workers count",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const batches = quick ? 1 : 4;
    const time: number[] = [];
    const cpu: number[] = [];
    const seen = { product: [] as number[], bare: [] as number[], productCpu: [] as number[], bareCpu: [] as number[] };
    let memory = 0;
    await using server = await spawnServer([MODEL_SERVER]);
    const use = (): TreeUse => {
      const [all, model] = [useOfTree(process.pid), useOfTree(server.pid)];
      return {
        cpuMs: all.cpuMs - model.cpuMs,
        pssMb: all.pssMb - model.pssMb,
        processes: all.processes - model.processes,
      };
    };
    for (let round = 1; round <= rounds; round += 1) {
      using folder = temporaryFolder();
      await using project = await openZoe(join(folder.path, "project"), server.url);
      using floor = openDurableCommits(join(folder.path, "floor.db"));
      const product: number[] = [];
      const bare: number[] = [];
      const spent = { product: 0, bare: 0 };
      for (let batch = 0; batch < batches + WARM_UPS; batch += 1) {
        const start = use();
        const answers = await repeated(() => answered(project));
        const middle = use();
        const calls = await repeated(() => bareCall(floor, server.url));
        const end = use();
        memory = Math.max(memory, end.pssMb);
        if (batch < WARM_UPS) continue;
        product.push(...answers);
        bare.push(...calls);
        spent.product += middle.cpuMs - start.cpuMs;
        spent.bare += end.cpuMs - middle.cpuMs;
      }
      seen.product.push(median(product));
      seen.bare.push(median(bare));
      seen.productCpu.push(spent.product / product.length);
      seen.bareCpu.push(spent.bare / bare.length);
      time.push(median(product) / median(bare));
      cpu.push(spent.product / spent.bare);
      progress(`round ${round} of ${rounds}: ${format(median(product))} ms against ${format(median(bare))} ms`);
    }
    return [
      {
        what: "time to a bare call and the two commits a run needs",
        ratios: time,
        goal: { atMost: 2 },
        detail: `${format(median(seen.product))} ms against ${format(median(seen.bare))} ms`,
      },
      {
        what: "CPU of daemon and workers to that of the bare call and the commits",
        ratios: cpu,
        goal: { atMost: 3 },
        detail: `${format(median(seen.productCpu))} ms against ${format(median(seen.bareCpu))} ms; ${format(memory)} MB with this bench`,
      },
    ];
  },
};

async function openZoe(folder: string, url: string): Promise<DaemonProject> {
  mkdirSync(join(folder, ".agents"), { recursive: true });
  const definition = `name: zoe\nmodel: fake\nprovider: { name: anthropic, base_url: "${url}/v1", api_key: $BENCH_KEY }\nprompt: { system: Answer. }\n`;
  writeFileSync(join(folder, ".agents", "zoe.yaml"), definition);
  const options = localOptions(folder);
  return await openRunningProject({ ...options, env: { ...options.env, BENCH_KEY: "bench-0123456789" } });
}

async function repeated(once: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < BATCH; i += 1) times.push(await once());
  return times;
}

async function answered(project: DaemonProject): Promise<number> {
  const settled = new Promise<void>((resolve) => {
    const watching = project.events.observe((events) => {
      if (!events.some(({ type }) => type === "run.ended")) return;
      watching[Symbol.dispose]();
      resolve();
    });
  });
  const sent = await project.system.propose(person, sendMessage, { to: "zoe", message: "a question" });
  if (!sent.ok) throw new Error(sent.error.message);
  const started = performance.now();
  await settled;
  return performance.now() - started;
}

async function bareCall(floor: { commit(): void }, url: string): Promise<number> {
  const model = createAnthropic({ baseURL: `${url}/v1`, apiKey: "bench-0123456789" })("fake");
  const started = performance.now();
  floor.commit();
  await streamText({ model, system: "Answer.", prompt: "a question", maxRetries: 0, maxOutputTokens: 1_000 }).text;
  floor.commit();
  return performance.now() - started;
}
