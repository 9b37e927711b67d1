import type { Clock } from "../../kernel/clock.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { startWorker, type StartWorkerParts } from "./start-worker.ts";
import type { WorkerChannel, WorkerProcess } from "./worker-process.ts";

/**
 * Worker processes that are started before they are needed and shared by many sessions. `size` of them always exist, one
 * for each core when there is enough to do, and more only when the sessions need more memory than these have. So memory
 * limits the sessions, not a number; a session that does not fit waits until another one leaves.
 */
export interface WorkerPool extends AsyncDisposable {
  /** Returns a place in a worker. Throws an EngineFailure or the signal's reason. */
  take(need: WorkerNeed, signal: AbortSignal): Promise<WorkerPlace>;
  /** Names a module that later workers import before they are needed. */
  preload(module: string): void;
}

export interface WorkerNeed {
  /** True: a process of its own, as long as it has the place. */
  readonly alone: boolean;
  /** Bytes of memory, roughly. */
  readonly weight: number;
}

export interface WorkerPlace {
  readonly channel: WorkerChannel;
  /** False when the worker has ended. */
  isUsable(): boolean;
  /** Says that the session now needs so many bytes. */
  weigh(weight: number): void;
  /**
   * `clean`: no request was interrupted, and nothing of the session is left in the worker. If not, it resolves when the
   * worker has stopped working for it: a worker of its own is killed.
   */
  leave(clean: boolean): Promise<void>;
}

export interface WorkerPoolOptions extends StartWorkerParts {
  /** 0: each session starts its own. */
  readonly size: number;
  /** Processes that can work at the same time. */
  readonly cores: number;
  /** More are never started. */
  readonly most: number;
}

interface Member {
  readonly started: Promise<WorkerProcess>;
  worker: WorkerProcess | undefined;
  alone: boolean;
  sessions: number;
  weight: number;
  served: number;
}

/** With so many sessions in each worker, another one is started if there is a core for it. */
const BUSY_SESSIONS = 8;
const SESSIONS_PER_WORKER = 2_000;
const SPARE_FOR_MS = 60_000;
const LEAVE_MS = 5_000;
/** The part of a worker's heap that sessions may need by their own count, which is not exact. */
const SHARE_OF_HEAP = 0.5;

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { size, cores, most, clock, log } = options;
  const budget = options.worker.memoryLimitMb * 1024 ** 2 * SHARE_OF_HEAP;
  const members = new Set<Member>();
  const modules = new Set<string>();
  const closing = new AbortController();
  let freed = Promise.withResolvers<void>();

  const tellWaiting = (): void => {
    freed.resolve();
    freed = Promise.withResolvers<void>();
  };
  const remove = (member: Member): void => {
    if (members.delete(member)) tellWaiting();
  };

  const start = (alone: boolean): Member => {
    const started = startWorker(options, [...modules], closing.signal, (worker) => {
      member.worker = worker;
      void worker.exited.then(() => remove(member)).then(fill);
    });
    const member: Member = { started, worker: undefined, alone, sessions: 0, weight: 0, served: 0 };
    members.add(member);
    started.catch(() => remove(member));
    return member;
  };

  const fill = (): void => {
    while (!closing.signal.aborted && [...members].filter(({ alone }) => !alone).length < Math.min(size, most)) {
      start(false).started.catch((error: unknown) => log.warn("a spare process could not be started", { error }));
    }
  };

  const isOpen = ({ alone, served }: Member): boolean => !alone && served < SESSIONS_PER_WORKER;
  const idle = (): Member[] => [...members].filter((member) => isOpen(member) && member.sessions === 0);

  const enter = (member: Member, weight: number): Member => {
    member.sessions += 1;
    member.served += 1;
    member.weight += weight;
    return member;
  };

  /** The member with the fewest sessions that has room; undefined when none has. */
  const roomiest = (weight: number): Member | undefined => {
    let best: Member | undefined;
    for (const member of members) {
      if (!isOpen(member) || (member.sessions > 0 && member.weight + weight > budget)) continue;
      if (best === undefined || member.sessions < best.sessions) best = member;
    }
    return best;
  };

  /** Enters a member at once or starts one; null when neither is possible now. `own`: started for this session. */
  const find = ({ alone, weight }: WorkerNeed): { readonly member: Member; readonly own: boolean } | null => {
    const found = alone ? idle()[0] : roomiest(weight);
    if (found !== undefined) {
      if (alone) found.alone = true;
      else if (found.sessions >= BUSY_SESSIONS && members.size < Math.min(cores, most)) {
        start(false).started.catch((error: unknown) => log.warn("another process could not be started", { error }));
      }
      return { member: enter(found, weight), own: false };
    }
    return members.size < most ? { member: enter(start(alone), weight), own: true } : null;
  };

  const takeMember = async (need: WorkerNeed, signal: AbortSignal): Promise<Member> => {
    for (;;) {
      signal.throwIfAborted();
      if (closing.signal.aborted) throw CLOSED;
      const found = find(need);
      if (found === null) {
        await untilAborted(freed.promise, signal);
        continue;
      }
      try {
        await untilAborted(found.member.started, signal);
        return found.member;
      } catch (error) {
        exit(found.member, need.weight);
        if (found.own || signal.aborted) throw error;
      }
    }
  };

  /** After a session has left. */
  const exit = (member: Member, weight: number): void => {
    member.sessions -= 1;
    member.weight -= weight;
    member.alone = false;
    tellWaiting();
    if (member.sessions > 0 || !members.has(member)) return;
    if (size === 0 || !isOpen(member)) void end(member);
    else if (idle().length > size) retire(member).catch(() => {});
  };

  const retire = async (member: Member): Promise<void> => {
    await clock.sleep(SPARE_FOR_MS, closing.signal);
    if (member.sessions === 0 && idle().length > size) await end(member);
  };

  const end = async (member: Member): Promise<void> => {
    remove(member);
    await member.worker?.kill();
    fill();
  };

  fill();

  return {
    take: async (need, signal) => {
      const wanted = { ...need, alone: need.alone || size === 0 };
      const member = await takeMember(wanted, signal);
      const worker = await member.started;
      const channel = worker.connect();
      let { weight } = need;
      return {
        channel,
        isUsable: () => members.has(member),
        weigh: (now) => {
          member.weight += now - weight;
          weight = now;
        },
        leave: async (clean) => {
          if (wanted.alone && (!clean || size === 0)) await end(member);
          else if (clean) channel.leaveSoon();
          else await left(clock, channel, Math.min(LEAVE_MS, options.silenceMs));
          exit(member, weight);
        },
      };
    },
    preload: (module) => void modules.add(module),
    [Symbol.asyncDispose]: async () => {
      closing.abort(CLOSED);
      tellWaiting();
      await Promise.all([...members].map(async ({ worker }) => worker?.kill()));
    },
  };
}

const CLOSED = new EngineFailure("transient", "The sdk engine has been closed.");

/** A worker that does not let a session go is killed. */
async function left(clock: Clock, channel: WorkerChannel, limitMs: number): Promise<void> {
  const timer = new AbortController();
  const late = clock.sleep(limitMs, timer.signal).then(() => true);
  late.catch(() => {});
  const isLate = await Promise.race([channel.leave().then(() => false), late]);
  timer.abort();
  if (isLate) await channel.worker.kill(`did not react within ${limitMs / 1_000} s`);
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
