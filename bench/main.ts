import { parseArgs } from "node:util";
import { holdProcess } from "../src/kernel/clock.ts";
import { assemble } from "./assemble.ts";
import type { Bench } from "./bench.ts";
import { chat } from "./chat.ts";
import { chunkTax } from "./chunk-tax.ts";
import { cliCold } from "./cli-cold.ts";
import { cliHelp } from "./cli-help.ts";
import { cluster } from "./cluster.ts";
import { clusterHandOver } from "./cluster-hand-over.ts";
import { concurrency } from "./concurrency.ts";
import { daemon } from "./daemon.ts";
import { fanOut } from "./fan-out.ts";
import { hops } from "./hops.ts";
import { inboxFlat } from "./inbox-flat.ts";
import { mcpCall } from "./mcp-call.ts";
import { memoryRecall } from "./memory-recall.ts";
import { memorySearch } from "./memory-search.ts";
import { memoryStore } from "./memory-store.ts";
import { preempt } from "./preempt.ts";
import { promptSize } from "./prompt-size.ts";
import { recovery } from "./recovery.ts";
import { redact } from "./redact.ts";
import { restSend } from "./rest-send.ts";
import { runBenches } from "./run-benches.ts";
import { simRate } from "./sim-rate.ts";
import { starve } from "./starve.ts";
import { stepOverhead } from "./step-overhead.ts";
import { stream } from "./stream.ts";
import { taxTotal } from "./tax-total.ts";
import { turnDurable } from "./turn-durable.ts";
import { turnLatency } from "./turn-latency.ts";

/**
 * `npm run bench [NAME…] [-- --json --quick --gate]`. With `--gate` a missed goal is exit code 1. A bench that throws is
 * reported, the others are still run, and the exit code is 1.
 */
const benches: readonly Bench[] = [
  turnDurable,
  turnLatency,
  hops,
  fanOut,
  preempt,
  starve,
  stepOverhead,
  concurrency,
  inboxFlat,
  assemble,
  promptSize,
  memorySearch,
  memoryRecall,
  memoryStore,
  restSend,
  stream,
  chunkTax,
  taxTotal,
  mcpCall,
  cliHelp,
  cliCold,
  chat,
  daemon,
  recovery,
  redact,
  cluster,
  clusterHandOver,
  simRate,
];

using _alive = holdProcess();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    gate: { type: "boolean", default: false },
  },
});

const unknown = positionals.filter((name) => benches.every((bench) => bench.name !== name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no bench ${unknown.join(", ")}. Benches: ${benches.map(({ name }) => name).join(", ")}\n`,
  );
  process.exit(2);
}

const chosen = positionals.length === 0 ? benches : benches.filter(({ name }) => positionals.includes(name));
const { failed, missed } = await runBenches(chosen, values, {
  result: (text) => void process.stdout.write(text),
  problem: (text) => void process.stderr.write(text),
});
if (failed || (values.gate && missed)) process.exitCode = 1;
