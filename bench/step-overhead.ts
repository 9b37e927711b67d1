import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAnthropic } from "@ai-sdk/anthropic";
import { streamText } from "ai";
import { openRunningProject } from "../src/daemon/running-project.ts";
import { person } from "../src/kernel/caller.ts";
import { sendMessage } from "../src/operations/messages/send-message.ts";
import { startFakeModelServer } from "../test/support/engine/fake-model-server/server.ts";
import { format, median, type Bench } from "./bench.ts";
import { openDurableCommits } from "./limits/durable-commit.ts";
import { localOptions } from "./support/local-options.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** A direct message answered by a model that takes no time, through the worker process, against the bare call. */
export const stepOverhead: Bench = {
  name: "step-overhead",
  measures: "a message answered by the sdk engine on a model server that answers at once, receipt to settled",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const count = quick ? 10 : 60;
    const ratios: number[] = [];
    const times = { product: [] as number[], bare: [] as number[] };
    await using server = await startFakeModelServer(() => ({ text: "Done." }));
    for (let round = 0; round <= rounds; round += 1) {
      using folder = temporaryFolder();
      const product = await answered(join(folder.path, "project"), server.url, count);
      const bare = await bareCalls(join(folder.path, "floor.db"), server.url, count);
      if (round === 0) continue;
      times.product.push(product);
      times.bare.push(bare);
      ratios.push(product / bare);
      progress(`round ${round} of ${rounds}: ${format(product)} ms`);
    }
    return [
      {
        what: "to a bare call and the two commits a run needs",
        ratios,
        goal: { atMost: 2 },
        detail: `${format(median(times.product))} ms against ${format(median(times.bare))} ms`,
      },
    ];
  },
};

async function answered(folder: string, url: string, count: number): Promise<number> {
  mkdirSync(join(folder, ".agents"), { recursive: true });
  const definition = `name: zoe\nmodel: fake\nprovider: { name: anthropic, base_url: "${url}/v1", api_key: $BENCH_KEY }\nprompt: { system: Answer. }\n`;
  writeFileSync(join(folder, ".agents", "zoe.yaml"), definition);
  const options = localOptions(folder);
  await using project = await openRunningProject({
    ...options,
    env: { ...options.env, BENCH_KEY: "bench-0123456789" },
  });
  const waits: number[] = [];
  for (let i = 0; i < count + 3; i += 1) {
    const settled = new Promise<void>((resolve) => {
      const watching = project.events.observe((events) => {
        if (!events.some(({ type }) => type === "run.ended")) return;
        watching[Symbol.dispose]();
        resolve();
      });
    });
    const sent = await project.system.propose(person, sendMessage, { to: "zoe", message: `question ${i}` });
    if (!sent.ok) throw new Error(sent.error.message);
    const started = performance.now();
    await settled;
    if (i >= 3) waits.push(performance.now() - started);
  }
  return median(waits);
}

async function bareCalls(file: string, url: string, count: number): Promise<number> {
  using floor = openDurableCommits(file);
  const model = createAnthropic({ baseURL: `${url}/v1`, apiKey: "bench-0123456789" })("fake");
  const waits: number[] = [];
  for (let i = 0; i < count + 3; i += 1) {
    const started = performance.now();
    floor.commit();
    await streamText({ model, system: "Answer.", prompt: `question ${i}`, maxRetries: 0, maxOutputTokens: 1_000 }).text;
    floor.commit();
    if (i >= 3) waits.push(performance.now() - started);
  }
  return median(waits);
}
