import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../bench.ts";
import { SMALL_PROGRAMS } from "../limits/small-programs.ts";

/** The launcher of the command, as it is installed. */
export const LAUNCHER = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));

/** Writes the limits as files Node can run, and answers their paths. */
export function writeSmallPrograms(folder: string): Record<keyof typeof SMALL_PROGRAMS, string> {
  const write = (name: keyof typeof SMALL_PROGRAMS): string => {
    const file = join(folder, `${name}.cjs`);
    writeFileSync(file, SMALL_PROGRAMS[name]);
    return file;
  };
  return { empty: write("empty"), net: write("net"), http: write("http"), hello: write("hello") };
}

export interface Timed {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Milliseconds from the start of each program to its end, round by round: the median of a few tries that take turns, so
 * that noise hits all of them.
 */
export function timePrograms<Name extends string>(
  programs: Readonly<Record<Name, Timed>>,
  { rounds, tries }: { readonly rounds: number; readonly tries: number },
): Record<Name, number[]> {
  const names = Object.keys(programs) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    const tried = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
    for (let i = 0; i < tries; i += 1) for (const name of names) tried[name].push(run(name, programs[name]));
    if (round > 0) for (const name of names) times[name].push(median(tried[name])); // round 0 fills caches
  }
  return times;
}

function run(name: string, { args, cwd, env }: Timed): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.toString()}`);
  return ms;
}
