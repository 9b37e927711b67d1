import { spawn } from "node:child_process";
import { delimiter, resolve } from "node:path";

export const projectRoot = resolve(import.meta.dirname, "..");

/** The result of a command. `output` is both of its streams in order; empty if they went to the terminal. */
export interface Outcome {
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

/**
 * Runs a command of the project with the project's own Node and tools first on PATH. With `show` it writes to the
 * terminal; otherwise its output is collected.
 */
export async function runCommand(
  command: readonly string[],
  { show = false, env = {} }: { readonly show?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Outcome> {
  const [program = "", ...args] = command;
  const started = performance.now();
  const tools = resolve(projectRoot, "node_modules/.bin");
  const child = spawn(program, args, {
    cwd: projectRoot,
    env: { ...process.env, ...env, PATH: `${tools}${delimiter}${process.env.PATH ?? ""}` },
    stdio: show ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ok = await new Promise<boolean>((done) => {
    child.on("error", (error) => {
      output += `${program}: ${error.message}\n`;
      done(false);
    });
    child.on("close", (code) => done(code === 0));
  });
  return { ok, seconds: (performance.now() - started) / 1000, output };
}
