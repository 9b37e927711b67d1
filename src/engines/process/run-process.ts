import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../../kernel/clock.ts";
import { endGroup, stopGroup } from "./process-group.ts";
import { holdGroup } from "./process-reaper.ts";

/**
 * Runs a program to its end, in its own process group. The group never outlives the program or this process: when one
 * of them ends, or the program is stopped or times out, its background processes are killed too. Output that a process
 * outside the group holds open is not waited for. All output is read, so that no writer blocks for long; `onOutput`
 * decides how much is stored.
 */
export interface ProcessRequest {
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment; see `childEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input; absent: none. */
  readonly input?: string;
  /** Its standard input stays open for `ProcessPipes.write`. */
  readonly keepsStdinOpen?: boolean;
  /** Absent: no timeout. */
  readonly timeoutMs?: number;
  /** Called with whole characters as they arrive; must not throw. */
  readonly onOutput: (text: string, from: OutputName) => void;
  /** Called once the program runs. */
  readonly onStart?: (pipes: ProcessPipes) => void;
}

export interface ProcessPipes {
  /** Stops reading standard output, so that the program has to wait. */
  pause(): void;
  resume(): void;
  /** Writes to standard input, if that is still open. */
  write(text: string): void;
  /** Closes standard input. */
  end(): void;
}

export type OutputName = "stdout" | "stderr";

export type ProcessEnd =
  /** `code` is null when it was killed by `signal`. */
  | { readonly started: true; readonly code: number | null; readonly signal?: string; readonly timedOut: boolean }
  /** `code` is that of the system error, if there is one. */
  | { readonly started: false; readonly reason: string; readonly code?: string };

/**
 * Time to read the rest of the pipes when the group is gone; a process outside the group may hold them open for ever.
 */
const DRAIN_MS = 500;

/** Throws only the signal's reason, and only when the group is gone. */
export async function runProcess(clock: Clock, request: ProcessRequest, signal: AbortSignal): Promise<ProcessEnd> {
  signal.throwIfAborted();
  let started: Started;
  try {
    started = await startProcess(request);
  } catch (error) {
    return { started: false, ...systemError(error) };
  }
  const { child, exited, closed } = started;
  using _held = holdGroup(child.pid);
  forward(child.stdout, (text) => request.onOutput(text, "stdout"));
  forward(child.stderr, (text) => request.onOutput(text, "stderr"));
  request.onStart?.({
    pause: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
    write: (text) => void (child.stdin?.writable === true && child.stdin.write(text)),
    end: () => void child.stdin?.end(),
  });

  const settled = new AbortController();
  let timedOut = false;
  const stop = (): void => stopGroup(clock, child.pid, settled.signal);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  if (request.timeoutMs !== undefined) {
    clock.sleep(request.timeoutMs, settled.signal).then(
      () => {
        timedOut = true;
        stop();
      },
      () => {},
    );
  }
  try {
    const end = await exited;
    await endGroup(clock, child.pid);
    child.stdout.resume();
    await Promise.race([closed, clock.sleep(DRAIN_MS, settled.signal).catch(() => {})]);
    signal.throwIfAborted();
    return { started: true, ...end, timedOut };
  } finally {
    settled.abort();
    signal.removeEventListener("abort", stop);
    child.stdout.destroy();
    child.stderr.destroy();
    child.stdin?.destroy();
  }
}

/** The same for a command of `sh`. */
export function runShell(
  clock: Clock,
  { command, ...request }: Omit<ProcessRequest, "program" | "args"> & { readonly command: string },
  signal: AbortSignal,
): Promise<ProcessEnd> {
  return runProcess(clock, { ...request, program: "sh", args: ["-c", command] }, signal);
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

interface Exit {
  readonly code: number | null;
  readonly signal?: string;
}

interface Started {
  readonly child: Child;
  readonly exited: Promise<Exit>;
  readonly closed: Promise<void>;
}

/** Rejects when there is no process: then neither the child nor its streams can be used. */
async function startProcess({ program, args, cwd, env, input, keepsStdinOpen }: ProcessRequest): Promise<Started> {
  const options = { cwd, env, detached: true } as const;
  const child: Child =
    input === undefined
      ? spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
      : spawn(program, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
  const exited = Promise.withResolvers<Exit>();
  const closed = Promise.withResolvers<void>();
  child.once("exit", (code, signal) => exited.resolve({ code, ...(signal === null ? {} : { signal }) }));
  child.once("close", () => closed.resolve());
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve).on("error", reject);
  });
  // A program may end without reading all of its input.
  child.stdin?.on("error", () => {}).write(input ?? "");
  if (keepsStdinOpen !== true) child.stdin?.end();
  return { child, exited: exited.promise, closed: closed.promise };
}

function systemError(error: unknown): { readonly reason: string; readonly code?: string } {
  if (!(error instanceof Error)) return { reason: String(error) };
  return "code" in error && typeof error.code === "string"
    ? { reason: error.message, code: error.code }
    : { reason: error.message };
}

function forward(stream: Readable, take: (text: string) => void): void {
  const decoder = new StringDecoder("utf8");
  const pass = (text: string): void => {
    if (text !== "") take(text);
  };
  stream.on("data", (chunk: Buffer) => pass(decoder.write(chunk)));
  stream.on("end", () => pass(decoder.end()));
  stream.on("error", () => {});
}
