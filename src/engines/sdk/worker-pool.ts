import { classifyFailure } from "../../domain/delivery/classify.ts";
import { fullJitter } from "../../kernel/backoff.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import { SCARCITY_CODES } from "../../kernel/scarcity.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { spawnWorker, type WorkerOptions, type WorkerProcess } from "./worker-process.ts";

/**
 * Worker processes that are started before they are needed. `size` of them always exist; more are started when needed
 * and ended after a while. When descriptors or processes run out, starting is retried for a while before the run fails.
 */
export interface WorkerPool extends AsyncDisposable {
  /** Returns a worker for exclusive use until it is given back. Throws an EngineFailure or the signal's reason. */
  take(signal: AbortSignal): Promise<WorkerProcess>;
  /** Gives back a worker that can be used again and holds nothing of its session. */
  release(worker: WorkerProcess): Promise<void>;
  /** Gives back a worker that cannot; resolves when its process group is gone. */
  discard(worker: WorkerProcess): Promise<void>;
  /** Names a module that later workers import before they are needed. */
  preload(module: string): void;
}

export interface WorkerPoolOptions {
  readonly size: number;
  readonly worker: WorkerOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

const START_ATTEMPTS = 10;
const START_BACKOFF = { baseMs: 50, capMs: 2_000 };
const STARTUP_LIMIT_MS = 30_000;
const SPARE_FOR_MS = 60_000;
const SESSIONS_PER_WORKER = 200;

export function createWorkerPool({ size, worker: options, clock, random, log }: WorkerPoolOptions): WorkerPool {
  const idle = new Set<Promise<WorkerProcess>>();
  const all = new Set<WorkerProcess>();
  const sessions = new WeakMap<WorkerProcess, number>();
  const modules = new Set<string>();
  const closing = new AbortController();
  let underway = 0;

  const start = async (): Promise<WorkerProcess> => {
    underway += 1;
    try {
      const worker = await spawnWithRetry();
      all.add(worker);
      void worker.exited.then(() => all.delete(worker));
      if (closing.signal.aborted) await worker.kill();
      if (modules.size > 0) worker.send({ type: "warm", modules: [...modules] });
      await startedUp(worker);
      return worker;
    } finally {
      underway -= 1;
    }
  };

  const spawnWithRetry = async (): Promise<WorkerProcess> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await spawnWorker(options);
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "";
        if (!SCARCITY_CODES.has(code) || attempt + 1 >= START_ATTEMPTS) {
          throw new EngineFailure(classifyFailure({ code }), `No process could be started for the agent (${code}).`, {
            cause: error,
          });
        }
        log.warn("no process could be started, trying again", { code, attempt });
        await clock.sleep(fullJitter({ ...START_BACKOFF, attempt, random }), closing.signal);
      }
    }
  };

  const startedUp = async (worker: WorkerProcess): Promise<void> => {
    const timer = new AbortController();
    const failed = Promise.race([
      worker.exited,
      clock.sleep(STARTUP_LIMIT_MS, timer.signal).then(() => "did not start up in time"),
    ]);
    failed.catch(() => {});
    const why = await Promise.race([worker.ready, failed]);
    timer.abort();
    if (why === undefined) return;
    await worker.kill();
    throw new EngineFailure("crash", `The process of the agent ${why} while starting up.`);
  };

  const addIdle = (worker: Promise<WorkerProcess>): void => {
    idle.add(worker);
    const forget = (): void => void idle.delete(worker);
    worker.then(({ exited }) => exited.then(forget), forget);
  };

  const fill = (): void => {
    while (!closing.signal.aborted && all.size + underway < size) {
      const spare = start();
      spare.catch((error: unknown) => log.warn("a spare process could not be started", { error }));
      addIdle(spare);
    }
  };

  const retireSpare = async (spare: Promise<WorkerProcess>): Promise<void> => {
    await clock.sleep(SPARE_FOR_MS, closing.signal);
    if (idle.size > size && idle.delete(spare)) await (await spare).kill();
  };

  const release = async (worker: WorkerProcess): Promise<void> => {
    const served = (sessions.get(worker) ?? 0) + 1;
    sessions.set(worker, served);
    if (size === 0 || served >= SESSIONS_PER_WORKER || closing.signal.aborted || !all.has(worker)) {
      return discard(worker);
    }
    worker.listen(null);
    const spare = Promise.resolve(worker);
    addIdle(spare);
    if (idle.size > size) retireSpare(spare).catch(() => {});
  };

  const discard = async (worker: WorkerProcess): Promise<void> => {
    await worker.kill();
    all.delete(worker);
    fill();
  };

  const takeOne = async (): Promise<WorkerProcess> => {
    for (const spare of [...idle].toReversed()) {
      idle.delete(spare);
      const worker = await spare.catch(() => undefined);
      if (worker !== undefined && all.has(worker)) return worker;
    }
    return start();
  };

  fill();

  return {
    take: async (signal) => {
      signal.throwIfAborted();
      if (closing.signal.aborted) throw new EngineFailure("transient", "The sdk engine has been closed.");
      const taking = takeOne();
      const aborted = Promise.withResolvers<never>();
      const abort = (): void => aborted.reject(signal.reason as Error);
      signal.addEventListener("abort", abort, { once: true });
      try {
        return await Promise.race([taking, aborted.promise]);
      } catch (error) {
        if (signal.aborted) void taking.then(release, () => {});
        throw error;
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
    release,
    discard,
    preload: (module) => void modules.add(module),
    [Symbol.asyncDispose]: async () => {
      closing.abort(new EngineFailure("transient", "The sdk engine has been closed."));
      idle.clear();
      await Promise.all([...all].map((worker) => worker.kill()));
    },
  };
}
