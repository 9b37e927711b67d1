import { resolve } from "node:path";
import { parseArgs } from "node:util";

/** A gate checks a project folder. Returns one line for each problem. */
export type Gate = (root: string) => readonly string[] | Promise<readonly string[]>;

/** Runs a gate as a program. `--root DIR` checks another folder than this project. The exit code is 0 or 1. */
export async function runGate(name: string, gate: Gate): Promise<void> {
  const { values } = parseArgs({ options: { root: { type: "string" } }, strict: false });
  const root = resolve(typeof values.root === "string" ? values.root : `${import.meta.dirname}/..`);
  const problems = await gate(root);
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? `${name}: ok` : `${name}: ${problems.length} to fix`);
  if (problems.length > 0) process.exitCode = 1;
}
