import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { median } from "../bench.ts";
import { useOfTree, type TreeUse } from "../support/process-tree.ts";
import { LAUNCHER } from "../support/program-time.ts";
import { foldersIn, writeProject } from "./agent-worker-project.ts";
import type { ModelNotes } from "./model-notes.ts";
import { AGENT_WORKER, type Peer } from "./peers.ts";
import { programEnv, startProgram, type ProgramProcess } from "./program-process.ts";
import type { KillResult, ManyResult, PeerResult, Scenario } from "./results.ts";
import type { ManyOutcome } from "./serve-program.ts";
import { HELD_STEP, HOPS, MANY_STEPS, STEPS, type AfterKill, type Setup } from "./setup.ts";

/** The sizes of a whole run, or small ones that show only that everything works. */
export interface Sizes {
  readonly runs: number;
  readonly crowd: number;
  readonly idleAgents: number;
  readonly repeats: number;
  readonly warmMs: number;
}

export interface Measured {
  readonly peer: Peer;
  readonly result: PeerResult;
  readonly notes: ModelNotes;
  /** What the server of a database uses counts too. */
  readonly databasePids: readonly number[];
  readonly sizes: Sizes;
  /** A folder of its own for each process, and a database of its own where it needs one. */
  setup(name: string, agents: number): Promise<Setup>;
}

const LOOK_MS = 100;
const SETTLE_MS = 3_000;
const RESUME_PATIENCE_MS = 20_000;

/** One round of every scenario for one peer; a, b and c in one process that is warm. */
export async function measureRound(of: Measured, round: number, wanted: ReadonlySet<Scenario>): Promise<void> {
  const { result, sizes } = of;
  if (["a", "b", "c"].some((letter) => wanted.has(letter as Scenario))) {
    await using program = await startProgram(of.peer.program, await of.setup(`warm-${round}`, sizes.runs));
    await attempt(result, wanted, "a", async () => void result.stepMs.push(await stepMs(of, program)));
    await attempt(result, wanted, "b", async () => void result.hopMs.push(await hopMs(program, sizes)));
    await attempt(result, wanted, "c", async () => {
      const { reason, ...seen } = await many(of, program, sizes.runs);
      if (seen.errors > 0) throw new Error(`${seen.errors} of ${sizes.runs} runs failed: ${reason}`);
      result.many.push(seen);
    });
  }
  await attempt(result, wanted, "d", async () => void result.idleMb.push(await idleMb(of, round)));
  await attempt(result, wanted, "e", async () => void result.coldMs.push(await coldMs(of, round)));
  await attempt(result, wanted, "f", async () => void result.kill.push(await killed(of, round)));
  if (of.peer.name !== AGENT_WORKER) return;
  await attempt(result, wanted, "g", async () => {
    await using program = await startProgram(of.peer.program, await of.setup(`crowd-${round}`, sizes.crowd));
    const { reason, ...seen } = await many(of, program, sizes.crowd);
    result.crowd.push(seen);
    if (seen.errors > 0) throw new Error(`${seen.errors} of ${sizes.crowd} runs failed: ${reason}`);
  });
}

async function attempt(
  { failures }: PeerResult,
  wanted: ReadonlySet<Scenario>,
  letter: Scenario,
  work: () => Promise<void>,
): Promise<void> {
  if (!wanted.has(letter)) return;
  try {
    await work();
  } catch (error) {
    failures[letter] = firstLine(error);
  }
}

/** The median of some runs, after as many as fit into the time for warming up. */
async function stepMs({ notes, result, sizes }: Measured, program: ProgramProcess): Promise<number> {
  let number = 0;
  const once = async (): Promise<number> => {
    const run = { kind: "steps", number: (number += 1), id: `steps-${number}` } as const;
    return (await program.ask({ do: "run", run })).ms / STEPS;
  };
  const warm = performance.now() + sizes.warmMs;
  do await once();
  while (performance.now() < warm);
  const times: number[] = [];
  for (let i = 0; i < sizes.repeats; i += 1) {
    await notes.reset();
    times.push(await once());
  }
  const { firstBytes, lastBytes } = await notes.read();
  result.requestBytes = { first: firstBytes, last: lastBytes };
  return median(times);
}

async function hopMs(program: ProgramProcess, { repeats, warmMs }: Sizes): Promise<number> {
  let number = 0;
  const once = async (): Promise<number> =>
    (await program.ask({ do: "handOver", name: `pair-${(number += 1)}` })).ms / HOPS;
  const warm = performance.now() + warmMs / 2;
  do await once();
  while (performance.now() < warm);
  const times: number[] = [];
  for (let i = 0; i < Math.ceil(repeats / 2); i += 1) times.push(await once());
  return median(times);
}

async function many(of: Measured, program: ProgramProcess, runs: number): Promise<ManyResult & ManyOutcome> {
  await program.ask({ do: "many", runs: Math.min(runs, 10), round: "warm" });
  const before = useOf(of, program);
  let over = false;
  const watched = watch(
    () => useOf(of, program),
    () => over,
  );
  const { ms, value } = await program.ask({ do: "many", runs, round: "many" });
  over = true;
  const { errors, reason } = value as ManyOutcome;
  const most = await watched;
  const cpuMs = useOf(of, program).cpuMs - before.cpuMs;
  return { seconds: ms / 1_000, cpuMsPerStep: cpuMs / runs / MANY_STEPS, errors, reason, ...most };
}

async function watch(look: () => TreeUse, over: () => boolean): Promise<{ mb: number; processes: number }> {
  const most = { mb: 0, processes: 0 };
  while (!over()) {
    const { pssMb, processes } = look();
    most.mb = Math.max(most.mb, pssMb);
    most.processes = Math.max(most.processes, processes);
    await pause(LOOK_MS);
  }
  return most;
}

function useOf({ databasePids }: Measured, { roots }: ProgramProcess): TreeUse {
  const uses = [...roots, ...databasePids].map(useOfTree);
  const sum = (of: (use: TreeUse) => number): number => uses.reduce((total, use) => total + of(use), 0);
  return { cpuMs: sum(({ cpuMs }) => cpuMs), pssMb: sum(({ pssMb }) => pssMb), processes: sum((use) => use.processes) };
}

async function idleMb(of: Measured, round: number): Promise<number> {
  await using program = await startProgram(of.peer.program, await of.setup(`idle-${round}`, of.sizes.idleAgents));
  await pause(SETTLE_MS);
  return useOf(of, program).pssMb;
}

/**
 * From the start of a program to its end, after one answer; the second time, when its store is there. Of agent-worker:
 * its command with no daemon there.
 */
async function coldMs(of: Measured, round: number): Promise<number> {
  const setup = await of.setup(`cold-${round}`, 1);
  const { home, project } = foldersIn(setup.folder);
  const env = { ...programEnv(), AGENT_WORKER_HOME: home, BENCH_KEY: "bench-0123456789" };
  const at = ["--project", project];
  const isOwn = of.peer.name === AGENT_WORKER;
  if (isOwn) writeProject(setup);
  const args = isOwn
    ? [LAUNCHER, "send", "first", "Please look.", "--wait", "--trust", ...at]
    : [of.peer.program, "cold", JSON.stringify(setup)];
  let ms = 0;
  for (let time = 1; time <= 2; time += 1) {
    ms = await timed(args, env);
    if (isOwn) await timed([LAUNCHER, "daemon", "stop", ...at], env);
  }
  return ms;
}

async function timed(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(-1_000)));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`ended with ${code}: ${said}`);
  return performance.now() - started;
}

/** The model does not answer in step 5; the program is killed there and started again. */
async function killed(of: Measured, round: number): Promise<KillResult> {
  const { notes, peer } = of;
  await notes.reset();
  const setup = await of.setup(`kill-${round}`, 1);
  const run = { kind: "held", number: 1, id: `held-${round}` } as const;
  const first = await startProgram(peer.program, setup);
  await first.ask({ do: "begin", run });
  await until(async () => (await notes.read()).held > 0, "step 5 was not reached");
  await first.kill();
  await notes.release();
  await pause(LOOK_MS);
  await using again = await startProgram(peer.program, setup);
  let outcome: string;
  try {
    outcome = (await again.ask({ do: "resume", run })).value as AfterKill;
    if (outcome !== "lost") await until(async () => (await notes.read()).finished > 0, "it did not go on");
  } catch (error) {
    outcome = `fails (${firstLine(error)})`;
  }
  const { calls } = await notes.read();
  const repeatedSteps = Object.entries(calls).filter(([step, count]) => Number(step) < HELD_STEP && count > 1);
  return { outcome, repeated: repeatedSteps.reduce((sum, [, count]) => sum + count - 1, 0) };
}

async function until(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
  const deadline = performance.now() + RESUME_PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(otherwise);
    await pause(LOOK_MS / 4);
  }
}

function firstLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line.replace(/^Error: /, "").slice(0, 300);
}
