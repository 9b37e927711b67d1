import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../../kernel/clock.ts";

/**
 * Runs a program to its end, in a process group of its own and without standard input. The group never outlives the
 * program: when it ends, is stopped or takes too long, whatever it left in the background is killed with it, and output
 * that something outside the group still holds open is not waited for. All output is read, so that no writer ever
 * blocks; how much of it is kept is up to `onOutput`.
 */
export interface ProcessRequest {
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment; see `childEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Called with whole characters as they come; must not throw. */
  readonly onOutput: (text: string, from: OutputName) => void;
}

export type OutputName = "stdout" | "stderr";

export type ProcessEnd =
  /** `code` is null when it was killed. */
  | { readonly started: true; readonly code: number | null; readonly timedOut: boolean }
  | { readonly started: false; readonly reason: string };

/** From asking the group to end to killing it. */
const GRACE_MS = 2_000;
/** For what is left in the pipes when the group is gone; a process that left the group may hold them for ever. */
const DRAIN_MS = 500;

/** Throws only the signal's reason, and only when the group is gone. */
export async function runProcess(clock: Clock, request: ProcessRequest, signal: AbortSignal): Promise<ProcessEnd> {
  signal.throwIfAborted();
  let started: Started;
  try {
    started = await startProcess(request);
  } catch (error) {
    return { started: false, reason: error instanceof Error ? error.message : String(error) };
  }
  const { child, exited, closed } = started;
  forward(child.stdout, (text) => request.onOutput(text, "stdout"));
  forward(child.stderr, (text) => request.onOutput(text, "stderr"));

  const settled = new AbortController();
  let timedOut = false;
  const stop = (): void => {
    signalGroup(child, "SIGTERM");
    clock.sleep(GRACE_MS, settled.signal).then(
      () => signalGroup(child, "SIGKILL"),
      () => {},
    );
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  clock.sleep(request.timeoutMs, settled.signal).then(
    () => {
      timedOut = true;
      stop();
    },
    () => {},
  );
  try {
    const code = await exited;
    signalGroup(child, "SIGKILL");
    await Promise.race([closed, clock.sleep(DRAIN_MS, settled.signal).catch(() => {})]);
    signal.throwIfAborted();
    return { started: true, code, timedOut };
  } finally {
    settled.abort();
    signal.removeEventListener("abort", stop);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

interface Started {
  readonly child: Child;
  readonly exited: Promise<number | null>;
  readonly closed: Promise<void>;
}

/** Rejects when there is no process: then nothing of the child, its streams least of all, can be relied on. */
async function startProcess({ program, args, cwd, env }: ProcessRequest): Promise<Started> {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const exited = Promise.withResolvers<number | null>();
  const closed = Promise.withResolvers<void>();
  child.once("exit", exited.resolve);
  child.once("close", () => closed.resolve());
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve).on("error", reject);
  });
  return { child, exited: exited.promise, closed: closed.promise };
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

function signalGroup({ pid }: Child, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // The group is gone already, which is what was wanted.
  }
}
