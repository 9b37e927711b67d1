import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Answer } from "./installed-command.ts";
import { NO_LOCAL_MODELS } from "./no-local-models.ts";

const COMMAND = join(import.meta.dirname, "../../../bin/agent-worker.js");

/** The installed command while it runs: for those that go on until they are told to stop. Killed when it leaves scope. */
export interface RunningCommand extends AsyncDisposable {
  /** The first line of standard output (or error), from now or before, that fits; rejects when it ends without one. */
  line(pattern: RegExp, from?: "out" | "err"): Promise<string>;
  /** The same after the line that it returned last. */
  next(pattern: RegExp): Promise<string>;
  /** Writes to its standard input, when it was started with one. */
  type(text: string): void;
  /** Ctrl-C, and what it came to. */
  interrupt(signal?: NodeJS.Signals): Promise<Answer>;
  readonly ended: Promise<Answer>;
}

export function startInstalled(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly input?: "pipe" },
): RunningCommand {
  const { cwd, env, input = "ignore" } = options;
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], AGENT_WORKER_TRUST: "1", ...NO_LOCAL_MODELS, ...env },
    stdio: [input, "pipe", "pipe"],
  });
  const { stdin, stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("It has no output.");
  let out = "";
  let err = "";
  let over = false;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const check of waiting) check();
  };
  stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    wake();
  });
  stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    wake();
  });
  let read = 0;
  const find = (pattern: RegExp, from: "out" | "err", first: () => number, found: (index: number) => void) =>
    new Promise<string>((resolve, reject) => {
      const check = (): void => {
        const lines = (from === "out" ? out : err).split("\n").slice(0, -1);
        const index = lines.findIndex((line, at) => at >= first() && pattern.test(line));
        if (index === -1 && !over) return;
        waiting.delete(check);
        if (index === -1) return reject(new Error(`ended without a line like ${pattern}: ${out}${err}`));
        found(index);
        resolve(lines[index] ?? "");
      };
      waiting.add(check);
      check();
    });
  const ended = once(child, "close").then(() => {
    over = true;
    wake();
    return { exit: child.exitCode, out, err };
  });
  return {
    ended,
    line: (pattern, from = "out") =>
      find(
        pattern,
        from,
        () => 0,
        () => {},
      ),
    next: (pattern) =>
      find(
        pattern,
        "out",
        () => read,
        (index) => (read = index + 1),
      ),
    type: (text) => void stdin?.write(text),
    interrupt(signal = "SIGINT") {
      child.kill(signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
