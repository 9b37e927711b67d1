/**
 * Every check of the project in one command, the same here and in CI. All steps run even if one fails, so that one
 * run shows everything there is to fix; only the output of steps that failed is shown.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Outcome, runCommand } from "./run-command.ts";

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Left out where this folder does not exist. */
  readonly needs?: string;
  /** Uses all cores by itself, so nothing runs beside it. */
  readonly alone?: boolean;
}

const steps: readonly Step[] = [
  { name: "lint", command: ["oxlint"] },
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "types-web", command: ["tsc", "-p", "web"] },
  { name: "types-peers", command: ["tsc", "-p", "bench/peers"], needs: "bench/peers/node_modules" },
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "generated", command: ["node", "scripts/generate.ts", "--check"] },
  { name: "layers", command: ["node", "scripts/check-layers.ts"] },
  { name: "time-and-chance", command: ["node", "scripts/check-time-and-chance.ts"] },
  { name: "file-names", command: ["node", "scripts/check-file-names.ts"] },
  { name: "requirements", command: ["node", "scripts/check-requirements.ts"] },
  { name: "dead-code", command: ["knip", "--no-progress"] },
  { name: "dead-product-code", command: ["knip", "--no-progress", "--production", "--include", "files,exports"] },
  { name: "tests", command: ["vitest", "run"], alone: true },
];

const { values } = parseArgs({
  options: { skip: { type: "string", multiple: true }, only: { type: "string", multiple: true } },
});
const skip = named(values.skip);
const only = named(values.only);
const chosen = steps.filter(
  ({ name, needs }) =>
    !skip.has(name) && (only.size === 0 || only.has(name)) && (needs === undefined || existsSync(needs)),
);

const started = performance.now();
const failed: string[] = [];
const waiting = chosen.filter((step) => step.alone !== true);
await Promise.all([work(), work()]);
for (const step of chosen) if (step.alone === true) await run(step);

const seconds = ((performance.now() - started) / 1000).toFixed(1);
const verdict = failed.length === 0 ? `${chosen.length} checks passed` : `failed: ${failed.join(", ")}`;
console.log(`\n${verdict} (${seconds} s)`);
if (failed.length > 0) process.exitCode = 1;

async function work(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await run(step);
}

async function run({ name, command }: Step): Promise<void> {
  const outcome: Outcome = await runCommand(command);
  console.log(`${outcome.ok ? "ok  " : "FAIL"}  ${name.padEnd(18)} ${outcome.seconds.toFixed(1).padStart(6)} s`);
  if (outcome.ok) return;
  failed.push(name);
  console.log(`${outcome.output.trimEnd().replaceAll(/^/gm, "      ")}\n`);
}

function named(lists: readonly string[] = []): ReadonlySet<string> {
  const names = lists.flatMap((list) => list.split(","));
  const unknown = names.find((name) => !steps.some((step) => step.name === name));
  if (unknown === undefined) return new Set(names);
  console.error(`no check is called "${unknown}"; there are ${steps.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
