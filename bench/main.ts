import { parseArgs } from "node:util";
import { holdProcess } from "../src/kernel/clock.ts";
import { assemble } from "./assemble.ts";
import { format, median, meetsGoal, type Bench, type Figure } from "./bench.ts";
import { chat } from "./chat.ts";
import { chunkTax } from "./chunk-tax.ts";
import { cliCold } from "./cli-cold.ts";
import { cliHelp } from "./cli-help.ts";
import { cluster } from "./cluster.ts";
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
import { simRate } from "./sim-rate.ts";
import { starve } from "./starve.ts";
import { stepOverhead } from "./step-overhead.ts";
import { stream } from "./stream.ts";
import { taxTotal } from "./tax-total.ts";
import { turnDurable } from "./turn-durable.ts";
import { turnLatency } from "./turn-latency.ts";

/** `npm run bench [NAME…] [-- --json --quick --gate]`. With `--gate` a missed goal is exit code 1. */
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

const results: { bench: string; figures: readonly Figure[] }[] = [];
for (const bench of benches) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue;
  if (!values.json) process.stdout.write(`${bench.name}: ${bench.measures}\n`);
  const figures = await bench.run({
    quick: values.quick,
    progress: (line) => void (values.json || process.stdout.write(`  … ${line}\n`)),
  });
  results.push({ bench: bench.name, figures });
  if (!values.json) for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`);
}
if (values.json) {
  const rows = results.flatMap(({ bench, figures }) =>
    figures.map((figure) => ({ bench, ...figure, median: median(figure.ratios), met: meetsGoal(figure) })),
  );
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
}
if (values.gate && results.some(({ figures }) => !figures.every(meetsGoal))) process.exitCode = 1;

function lineOf(figure: Figure): string {
  const spread = `${format(Math.min(...figure.ratios))} to ${format(Math.max(...figure.ratios))}`;
  const goal = "atLeast" in figure.goal ? `>= ${figure.goal.atLeast}` : `<= ${figure.goal.atMost}`;
  const verdict = meetsGoal(figure) ? "met" : "MISSED";
  return `  ${figure.what}: ${format(median(figure.ratios))} (${spread}), goal ${goal} ${verdict}\n      ${figure.detail}`;
}
