import { spawn, type ChildProcess } from "node:child_process";
import { holdGroup } from "../process/process-reaper.ts";
import { createLineSplitter } from "../shared/line-splitter.ts";
import { parseFromWorker, type FromWorker, type ToWorker } from "./protocol.ts";

/**
 * A child process in its own process group. When it ends, writes too much or writes garbage, the whole group is killed
 * and `exited` resolves. At most one line of its output is in memory.
 */
export interface WorkerProcess {
  readonly pid: number;
  /** Resolves when it has started up; never if it ends before. */
  readonly ready: Promise<void>;
  /** Resolves, never rejects, with how it ended in a few words. */
  readonly exited: Promise<string>;
  send(message: ToWorker): void;
  /** One listener at a time; without one messages are dropped. Resets the output limit. */
  listen(listener: WorkerListener | null): void;
  /** Stops reading, so that the worker has to wait. */
  pause(): void;
  resume(): void;
  /** Kills the group and resolves when the process is gone. */
  kill(): Promise<void>;
}

export interface WorkerListener {
  message(message: FromWorker): void;
  /** The same as `exited`, without a callback on a promise that exists as long as the worker. */
  exited(cause: string): void;
}

export interface WorkerOptions {
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly memoryLimitMb: number;
}

const MAX_LINE = 32 * 1024 * 1024;
const MAX_OUTPUT = 64 * 1024 * 1024;
const STDERR_TAIL = 4_096;

/** Rejects with the system error when the process cannot be started. */
export async function spawnWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const { memoryLimitMb, entry, env } = options;
  const child = spawn(process.execPath, [`--max-old-space-size=${memoryLimitMb}`, entry], {
    env: { ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    windowsHide: true,
  });
  // Without free descriptors the child has no streams, so they are not used before it has started.
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve).once("error", reject);
  });
  child.on("error", () => {});
  const hold = holdGroup(child.pid);
  const { stdin, stdout, stderr } = child;

  let listener: WorkerListener | null = null;
  let exitCause: string | undefined;
  let written = 0;
  let fault = "";
  let tail = "";
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<string>();

  const killFor = (why: string): void => {
    if (fault === "") fault = why;
    killGroup(child);
  };
  const count = (chunk: Buffer): boolean => {
    written += chunk.length;
    if (written > MAX_OUTPUT) killFor("wrote without end");
    return fault === "";
  };
  const lines = createLineSplitter(MAX_LINE, (line) => {
    const message = parseFromWorker(line);
    if (message.type === "ready") ready.resolve();
    else listener?.message(message);
  });

  stdout.on("data", (chunk: Buffer) => {
    if (!count(chunk)) return;
    try {
      lines.push(chunk);
    } catch (error) {
      killFor(`wrote what is not a message (${error instanceof Error ? error.message : String(error)})`);
    }
  });
  stderr.on("data", (chunk: Buffer) => {
    if (count(chunk)) tail = (tail + chunk.toString("latin1")).slice(-STDERR_TAIL);
  });
  for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {});

  child.once("exit", (code, signal) => {
    killGroup(child);
    hold[Symbol.dispose]();
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    exitCause = fault === "" ? describeExit(code, signal, tail, memoryLimitMb) : fault;
    exited.resolve(exitCause);
    listener?.exited(exitCause);
  });

  return {
    pid: child.pid ?? 0,
    ready: ready.promise,
    exited: exited.promise,
    send: (message) => void stdin.write(`${JSON.stringify(message)}\n`),
    listen: (next) => {
      listener = next;
      written = 0;
      if (exitCause !== undefined) next?.exited(exitCause);
    },
    pause: () => void stdout.pause(),
    resume: () => void stdout.resume(),
    kill: async () => {
      killGroup(child);
      await exited.promise;
    },
  };
}

/** Call it also after the child has ended: its own children may still be in the group. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

function describeExit(code: number | null, signal: string | null, tail: string, memoryLimitMb: number): string {
  if (/heap out of memory|heap limit|Array buffer allocation failed/i.test(tail)) {
    return `ran out of memory (limit ${memoryLimitMb} MB)`;
  }
  if (signal !== null) return `was killed by ${signal}`;
  return `ended by itself with exit code ${code ?? 0}`;
}
