/**
 * The long test runs: the properties of the pure layers with many cases, every file of `test/campaign/`, the attacks and
 * the promises that take long (`test/security/long/`, `test/truth/long/`, `test/daemon/long/`), the real command lines of
 * `test/clis-real/`, and the examples of every page of the documentation. Two parts run at a time; the output of each is
 * shown at its end. All use one seed, which is printed first; `--seed` replays it. Packages that a part needs are installed, so that nothing is skipped.
 */
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { loopbackOnly } from "../test/support/daemon/loopback-only.ts";
import { moduleImports } from "./module-imports.ts";
import { typeScriptFiles } from "./project-files.ts";
import { projectRoot, runCommand } from "./run-command.ts";
import { readSource } from "./source-file.ts";

interface Part {
  readonly name: string;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folders with a package.json of their own, to be installed first. */
  readonly needs?: readonly string[];
  /** Runs without a network other than loopback, where the machine can do that. */
  readonly offline?: boolean;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, runs: { type: "string", default: "100000" } },
});
const seed = values.seed ?? process.env.FC_SEED ?? String(randomInt(2 ** 31));
console.log(`campaign: seed ${seed}; replay with \`npm run campaign -- --seed ${seed}\``);

const testsIn = (folder: string): string[] =>
  typeScriptFiles(projectRoot, folder).filter((path) => path.endsWith(".test.ts"));
const properties = ["test/kernel", "test/domain"]
  .flatMap(testsIn)
  .filter((path) => moduleImports(readSource(projectRoot, path)).some(({ specifier }) => specifier === "fast-check"));

/** The longest first, so that both workers end at about the same time. */
const LONGEST_FIRST = [
  "truth",
  "simulator",
  "runtime-kill",
  "kill-loop",
  "machines",
  "postgres",
  "bench",
  "cli-postgres",
  "clis",
];
/** What parts of `test/campaign/` need installed. */
const NEEDS: Readonly<Record<string, string | readonly string[]>> = {
  install: "test/installers",
  "mcp-conformance": "test/conformance",
  browser: "test/browser",
  "browser-channel": "test/browser",
  "browser-decisions": "test/browser",
  "browser-projects": "test/browser",
  "browser-reading": "test/browser",
  "browser-scale": "test/browser",
  "browser-team": "test/browser",
  "browser-trust": "test/browser",
  "browser-script": "test/browser",
  "browser-edit": "test/browser",
  "browser-limits": "test/browser",
  "browser-pictures": "test/browser",
  "browser-phone": "test/browser",
  "browser-firefox": "test/browser",
  "browser-nodes": ["test/browser", "test/postgres"],
  chat: "test/terminal",
  "chat-decisions": "test/terminal",
  postgres: "test/postgres",
  "cli-postgres": "test/postgres",
  cluster: "test/postgres",
  context: "test/postgres",
  nodes: "test/postgres",
  machines: "test/postgres",
  failover: "test/postgres",
  upgrade: "test/postgres",
  completion: "test/terminal",
  newcomer: "test/terminal",
};
const parts: readonly Part[] = [
  ...testsIn("test/campaign").map((path) => {
    const name = basename(path, ".test.ts");
    return { name, files: [path], env: {}, needs: [NEEDS[name] ?? []].flat() };
  }),
  {
    name: "clis",
    files: testsIn("test/clis-real"),
    env: { AGENT_WORKER_TEST_CLIS: join(projectRoot, "test/clis") },
    needs: ["test/clis"],
    offline: true,
  },
  { name: "attacks", files: testsIn("test/security/long"), env: {} },
  { name: "truth", files: [...testsIn("test/truth/long"), ...testsIn("test/daemon/long")], env: {} },
  { name: "documents", files: ["test/docs/documents.test.ts"], env: {} },
  { name: "properties", files: properties, env: { FC_RUNS: values.runs } },
]
  .filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  .toSorted((a, b) => rank(a.name) - rank(b.name));

function rank(name: string): number {
  const place = LONGEST_FIRST.indexOf(name);
  return place === -1 ? LONGEST_FIRST.length : place;
}

const show = parts.length === 1;
const failed: string[] = [];
const running = new Set<string>();
const waiting = [...parts];
const heartbeat = setInterval(() => {
  if (!show) console.log(`campaign: at work on ${[...running].join(", ")}; ${waiting.length} more`);
}, 60_000);
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
clearInterval(heartbeat);
console.log(`\ncampaign: ${parts.length} parts, seed ${seed}, failed: ${failed.join(", ") || "none"}`);
if (failed.length > 0 || parts.length === 0) process.exitCode = 1;

async function worker(): Promise<void> {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    running.add(part.name);
    const { ok, seconds, output } = await run(part);
    running.delete(part.name);
    if (!ok) failed.push(part.name);
    console.log(`${output.trimEnd()}\n${ok ? "ok  " : "FAIL"}  ${part.name} ${seconds.toFixed(1)} s`);
  }
}

async function run({ files, env, needs = [], offline = false }: Part): ReturnType<typeof runCommand> {
  for (const folder of needs) {
    if (existsSync(join(projectRoot, folder, "node_modules"))) continue;
    const installed = await runCommand(["npm", "ci", "--prefix", folder], { show });
    if (!installed.ok) return installed;
  }
  const command = ["vitest", "run", ...files];
  return runCommand(offline ? loopbackOnly(command).command : command, {
    show,
    env: { ...env, CAMPAIGN: "1", FC_SEED: seed },
  });
}
