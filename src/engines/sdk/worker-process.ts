import { spawn, type ChildProcess } from "node:child_process";
import type { Clock } from "../../kernel/clock.ts";
import { holdGroup } from "../process/process-reaper.ts";
import { createLineSplitter } from "../shared/line-splitter.ts";
import { parseFromWorker, type SessionMessage, type SessionRequest, type WorkerOrder } from "./protocol.ts";

/**
 * A child process in its own process group, which serves many sessions. When it ends, writes too much or writes garbage,
 * the whole group is killed and `exited` resolves. At most one line of its output is in memory.
 */
export interface WorkerProcess {
  readonly pid: number;
  /** Resolves when it has started up; never if it ends before. */
  readonly ready: Promise<void>;
  /** Resolves, never rejects, with how it ended in a few words. */
  readonly exited: Promise<string>;
  send(order: WorkerOrder): void;
  /** Whether a session waits for it. */
  isBusy(): boolean;
  /** Resolves with the next message, whatever it says. */
  heard(): Promise<void>;
  connect(): WorkerChannel;
  /** Kills the group, for the reason if there is one, and resolves when the process is gone. */
  kill(why?: string): Promise<void>;
}

/** One session of a worker. */
export interface WorkerChannel {
  readonly worker: WorkerProcess;
  send(request: SessionRequest): void;
  /** One listener at a time, while a request runs; without one messages are dropped. Resets the output limit. */
  listen(listener: WorkerListener | null): void;
  /** Whether the worker also works for another session, or has not let one go yet. */
  isShared(): boolean;
  /** Interrupts the session. Resolves when the worker has said that it is left, or has ended. */
  leave(): Promise<void>;
  /** The same for a session that does nothing: the worker is told with the next request, or a moment later. */
  leaveSoon(): void;
}

export interface WorkerListener {
  message(message: SessionMessage): void;
  /** The worker has ended. `shared`: other sessions waited for it too, so that each of them may be the reason. */
  exited(cause: string, shared: boolean): void;
}

export interface WorkerOptions {
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly memoryLimitMb: number;
}

interface OpenChannel {
  listener: WorkerListener | null;
  isLeaving: boolean;
  written: number;
  readonly left: PromiseWithResolvers<void>;
}

const MAX_LINE = 32 * 1024 * 1024;
const MAX_OUTPUT = 64 * 1024 * 1024;
const STDERR_TAIL = 4_096;
/** A third less memory with a hundred sessions, for some percent more CPU. A smaller one costs a third more. */
const NURSERY = "--max-semi-space-size=16";

const SOON_MS = 50;

/** Rejects with the system error when the process cannot be started. */
export async function spawnWorker(options: WorkerOptions, clock: Clock): Promise<WorkerProcess> {
  const { memoryLimitMb, entry, env } = options;
  const child = spawn(process.execPath, [NURSERY, `--max-old-space-size=${memoryLimitMb}`, entry], {
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

  const channels = new Map<number, OpenChannel>();
  /** Sessions that the worker is told to leave with the next request. */
  const leaving = new Set<number>();
  let numbers = 0;
  let exitCause: string | undefined;
  let complaints = 0;
  let fault = "";
  let tail = "";
  let hearing: PromiseWithResolvers<void> | undefined;
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<string>();

  /** Sessions that the worker works for, and those that it was told to leave and may still work for. */
  const working = (): number => {
    let count = 0;
    for (const { listener, isLeaving } of channels.values()) if (listener !== null || isLeaving) count += 1;
    return count;
  };
  const killFor = (why: string): void => {
    if (fault === "") fault = why;
    killGroup(child);
  };
  const receive = (line: string): void => {
    const message = parseFromWorker(line);
    hearing?.resolve();
    hearing = undefined;
    if (message.type === "ready") ready.resolve();
    if (!("session" in message)) return;
    const channel = channels.get(message.session);
    if (channel === undefined) return;
    if (message.type === "left") {
      channels.delete(message.session);
      channel.left.resolve();
      return;
    }
    channel.written += line.length;
    if (channel.written > MAX_OUTPUT) killFor("wrote without end");
    else channel.listener?.message(message);
  };
  const lines = createLineSplitter(MAX_LINE, (line) => {
    if (fault === "") receive(line);
  });
  const send = (message: object): void => {
    // What is sent in one turn of the event loop goes out in one write.
    if (stdin.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    for (const session of leaving) stdin.write(`{"type":"leave","soon":true,"session":${session}}\n`);
    leaving.clear();
    stdin.write(`${JSON.stringify(message)}\n`);
  };
  const leaveNow = (session: number): void => {
    if (leaving.delete(session) && exitCause === undefined) send({ type: "leave", soon: true, session });
  };

  stdout.on("data", (chunk: Buffer) => {
    if (fault !== "") return;
    try {
      lines.push(chunk);
    } catch (error) {
      killFor(`wrote what is not a message (${error instanceof Error ? error.message : String(error)})`);
    }
  });
  stderr.on("data", (chunk: Buffer) => {
    complaints += chunk.length;
    if (complaints > MAX_OUTPUT) killFor("wrote without end");
    else tail = (tail + chunk.toString("latin1")).slice(-STDERR_TAIL);
  });
  for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {});

  child.once("exit", (code, signal) => {
    killGroup(child);
    hold[Symbol.dispose]();
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    const cause = (exitCause = fault === "" ? describeExit(code, signal, tail, memoryLimitMb) : fault);
    exited.resolve(cause);
    const shared = working() > 1;
    for (const { left, listener } of channels.values()) {
      left.resolve();
      listener?.exited(cause, shared);
    }
  });

  const worker: WorkerProcess = {
    pid: child.pid ?? 0,
    ready: ready.promise,
    exited: exited.promise,
    send,
    isBusy: () => working() > 0,
    heard: () => (hearing ??= Promise.withResolvers<void>()).promise,
    connect() {
      const session = (numbers += 1);
      const channel: OpenChannel = {
        listener: null,
        isLeaving: false,
        written: 0,
        left: Promise.withResolvers<void>(),
      };
      channels.set(session, channel);
      return {
        worker,
        send: (request) => send({ ...request, session }),
        listen: (next) => {
          channel.listener = next;
          channel.written = 0;
          complaints = 0;
          if (exitCause !== undefined) next?.exited(exitCause, true);
        },
        isShared: () => working() > (channel.listener === null ? 0 : 1),
        leave: () => {
          channel.listener = null;
          channel.isLeaving = true;
          if (exitCause !== undefined) channel.left.resolve();
          else send({ type: "leave", session });
          return channel.left.promise;
        },
        leaveSoon: () => {
          channel.listener = null;
          if (exitCause !== undefined) return;
          leaving.add(session);
          void clock.sleep(SOON_MS).then(() => leaveNow(session));
        },
      };
    },
    kill: async (why) => {
      if (why !== undefined) killFor(why);
      else killGroup(child);
      await exited.promise;
    },
  };
  return worker;
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
