import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { spawnServer } from "../support/spawned-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { installPeers, versionOf } from "./install.ts";
import { measureRound, type Measured, type Sizes } from "./measure.ts";
import { modelNotesOf } from "./model-notes.ts";
import { AGENT_WORKER, peers, STREAMING, type Peer } from "./peers.ts";
import { startProgram } from "./program-process.ts";
import { readmeSection, withSection, type PeersReport } from "./readme-section.ts";
import { crowdLine, goalLine, goalsOf, rowsOf, textTable } from "./report.ts";
import { SCENARIOS, type PeerResult, type Scenario } from "./results.ts";
import type { Setup } from "./setup.ts";
import { startPostgres } from "./start-postgres.ts";

/**
 * `npm run bench:peers [-- --rounds N --only NAME --scenario a --json FILE --markdown --readme --quick]`: agent-worker beside
 * the programs that people would otherwise use, in one run, round by round in turn. `--from FILE` prints an earlier run.
 * `--markdown` prints the section of the README, and `--readme` writes it there.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    only: { type: "string", multiple: true, default: [] },
    scenario: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
    from: { type: "string" },
    markdown: { type: "boolean", default: false },
    readme: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
  },
});

/** A daemon lives long: each program has this long to get compiled well. After two seconds ours still gets faster. */
const WARM_MS = 5_000;
const FULL: Sizes = { runs: 100, crowd: 1_000, idleAgents: 1_000, repeats: 15, warmMs: WARM_MS };
const QUICK: Sizes = { runs: 5, crowd: 10, idleAgents: 10, repeats: 2, warmMs: 0 };
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const names = values.only.flatMap((each) => each.split(","));
const letters = values.scenario.flatMap((each) => each.split(","));
const unknown = [
  ...names.filter((name) => peers.every((peer) => peer.name !== name)),
  ...letters.filter((letter) => !(letter in SCENARIOS)),
];
if (unknown.length > 0) {
  say(`There is no ${unknown.join(", ")}. Peers: ${peers.map(({ name }) => name).join(", ")}; scenarios: a to g.`);
  process.exit(2);
}

const report =
  values.from === undefined ? await measureAll() : (JSON.parse(readFileSync(values.from, "utf8")) as PeersReport);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
if (values.readme) writeReadme(report);
if (values.markdown) process.stdout.write(`${readmeSection(report)}\n`);
else print(report);
process.exit(); // A process that a peer left behind may still hold a pipe of ours.

async function measureAll(): Promise<PeersReport> {
  const rounds = values.quick ? 1 : Number(values.rounds);
  const sizes = values.quick ? QUICK : FULL;
  const wanted = new Set((letters.length > 0 ? letters : Object.keys(SCENARIOS)) as Scenario[]);
  const chosen = peers.filter(({ name }) => names.length === 0 || names.includes(name));
  const notInstalled = installPeers(say);
  using folder = temporaryFolder();
  const program = fileURLToPath(new URL("model-server.ts", import.meta.url));
  await using model = await spawnServer([program]);
  await using postgres = chosen.some(({ needsPostgres }) => needsPostgres) ? await startPostgres() : undefined;
  const sameRequest = chosen.some(({ name }) => name === STREAMING) ? await ownRequest(model.url, folder.path) : "";

  const measured = chosen.map((peer): Measured => {
    const notes = modelNotesOf(model.url, peer.name);
    const result = emptyResult(peer);
    if (peer.packages.length > 0 && notInstalled !== undefined) result.failures["*"] = notInstalled;
    if (peer.needsPostgres && postgres?.problem !== undefined) result.failures["*"] = postgres.problem;
    const setup = async (name: string, agents: number): Promise<Setup> => {
      const own = join(folder.path, peer.name, name);
      mkdirSync(own, { recursive: true });
      const database = `${postgres?.url ?? ""}/${name.replaceAll("-", "_")}`;
      return { url: notes.url, folder: own, agents, database, sameRequest };
    };
    return { peer, result, notes, sizes, setup, databasePids: peer.needsPostgres ? (postgres?.pids ?? []) : [] };
  });
  for (let round = 1; round <= rounds; round += 1) {
    for (const each of measured) {
      if (each.result.failures["*"] !== undefined) continue;
      say(`round ${round} of ${rounds}: ${each.peer.label}`);
      try {
        await measureRound(each, round, wanted);
      } catch (error) {
        each.result.failures["*"] = error instanceof Error ? error.message : String(error);
      }
      for (const [letter, reason] of Object.entries(each.result.failures)) say(`  ${letter}: ${reason.slice(0, 300)}`);
    }
  }
  const machine = `${cpus().length} cores, ${process.platform}, Node ${process.version}`;
  return { date: new Date().toISOString().slice(0, 10), machine, rounds, peers: measured.map(({ result }) => result) };
}

/** What agent-worker sends to its model in the last step of a run. */
async function ownRequest(server: string, folder: string): Promise<string> {
  const own = peers.find(({ name }) => name === AGENT_WORKER);
  if (own === undefined) throw new Error("agent-worker is not in the list");
  const notes = modelNotesOf(server, "own-request");
  const at = join(folder, "own-request");
  mkdirSync(at);
  const setup = { url: notes.url, folder: at, agents: 1, database: "", sameRequest: "" };
  await using program = await startProgram(own.program, setup);
  await program.ask({ do: "run", run: { kind: "steps", number: 1, id: "own" } });
  return (await notes.read()).lastRequest;
}

function emptyResult({ name, label, packages, durable, flushed }: Peer): PeerResult {
  const lists = { stepMs: [], hopMs: [], many: [], idleMb: [], coldMs: [], kill: [], crowd: [] };
  return { name, label, durable, flushed, versions: packages.map(versionOf), failures: {}, ...lists };
}

function writeReadme(measured: PeersReport): void {
  const file = fileURLToPath(new URL("../../README.md", import.meta.url));
  writeFileSync(file, withSection(readFileSync(file, "utf8"), readmeSection(measured)));
}

function print({ date, machine, rounds, peers: results }: PeersReport): void {
  const out = (line: string): void => void process.stdout.write(`${line}\n`);
  out(textTable(rowsOf(results)));
  const own = results.find(({ name }) => name === AGENT_WORKER);
  const crowd = own === undefined ? undefined : crowdLine(own);
  out(`\n${date}, ${machine}, ${rounds} ${rounds === 1 ? "round" : "rounds"}: median (lowest to highest)`);
  if (crowd !== undefined) out(crowd);
  out(`Versions: ${[...new Set(results.flatMap(({ versions }) => versions))].join(", ")}`);
  for (const { label, failures } of results) {
    for (const [letter, reason] of Object.entries(failures)) out(`${label}, ${letter}: ${reason}`);
  }
  out("Goals:");
  for (const goal of goalsOf(results)) out(goalLine(goal));
}
