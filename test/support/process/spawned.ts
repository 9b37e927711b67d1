import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { COMPILED } from "./compiled-code.ts";

/** A program of `test/support` in a process of its own, to be killed. Its lines are the protocol. */
export interface Spawned extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Everything it printed so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line, from now or before, that starts with the prefix; rejects when it ends without one. */
  line(prefix: string): Promise<string>;
  send(line: string): void;
  kill(): void;
  /** Its exit code, or null when it was killed. */
  readonly ended: Promise<number | null>;
}

export function spawnSupport(
  program: string,
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    /** A command in front of it, which executes it in its own place. */
    readonly on?: readonly string[];
  } = {},
): Spawned {
  const command = [...(options.on ?? []), process.execPath, join(import.meta.dirname, program), ...args];
  const child = spawn(command[0] ?? "", command.slice(1), {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...options.env },
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let closed = false;
  let errors = "";
  const wake = (): void => {
    for (const check of waiting) check();
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdin.on("error", () => {}); // Killed while it was written to.
  const ended = once(child, "close").then(([code]) => {
    closed = true;
    wake();
    return code as number | null;
  });
  return {
    pid: child.pid,
    lines,
    ended,
    line: (prefix) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = lines.find((line) => line.startsWith(prefix));
          if (found === undefined && !closed) return;
          waiting.delete(check);
          if (found === undefined) reject(new Error(`${program} ended without "${prefix}": ${errors}`));
          else resolve(found);
        };
        waiting.add(check);
        check();
      }),
    send: (line) => void child.stdin.write(`${line}\n`),
    kill: () => void child.kill("SIGKILL"),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
