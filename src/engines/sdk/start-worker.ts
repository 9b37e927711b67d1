import { classifyFailure } from "../../domain/delivery/classify.ts";
import { fullJitter } from "../../kernel/backoff.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import { SCARCITY_CODES } from "../../kernel/scarcity.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { spawnWorker, type WorkerOptions, type WorkerProcess } from "./worker-process.ts";

export interface StartWorkerParts {
  readonly worker: WorkerOptions;
  /** How long a worker that sessions wait for may say nothing, in milliseconds. */
  readonly silenceMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

const START_ATTEMPTS = 10;
const START_BACKOFF = { baseMs: 50, capMs: 2_000 };
const STARTUP_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 10_000;

/**
 * Starts a worker process and watches it as long as it lives. When descriptors or processes run out, starting is retried
 * for a while before it fails with an EngineFailure. `created` is called as soon as there is a process.
 */
export async function startWorker(
  parts: StartWorkerParts,
  modules: readonly string[],
  closing: AbortSignal,
  created: (worker: WorkerProcess) => void,
): Promise<WorkerProcess> {
  const worker = await spawnWithRetry(parts, closing);
  created(worker);
  if (closing.aborted) await worker.kill();
  if (modules.length > 0) worker.send({ type: "warm", modules });
  await startedUp(parts.clock, worker);
  watchReactions(parts, worker).catch(() => {});
  return worker;
}

async function spawnWithRetry(
  { worker, clock, random, log }: StartWorkerParts,
  closing: AbortSignal,
): Promise<WorkerProcess> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await spawnWorker(worker, clock);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!SCARCITY_CODES.has(code) || attempt + 1 >= START_ATTEMPTS) {
        throw new EngineFailure(classifyFailure({ code }), `No process could be started for the agent (${code}).`, {
          cause: error,
        });
      }
      log.warn("no process could be started, trying again", { code, attempt });
      await clock.sleep(fullJitter({ ...START_BACKOFF, attempt, random }), closing);
    }
  }
}

async function startedUp(clock: Clock, worker: WorkerProcess): Promise<void> {
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
}

/** Kills a worker that does not react while sessions wait for it: one of them blocks it for all. */
async function watchReactions({ clock, silenceMs }: StartWorkerParts, worker: WorkerProcess): Promise<void> {
  const ended = new AbortController();
  void worker.exited.then(() => ended.abort());
  for (;;) {
    await clock.sleep(LOOK_EVERY_MS, ended.signal);
    if (!worker.isBusy()) continue;
    const heard = worker.heard().then(() => true);
    worker.send({ type: "ping" });
    const late = new AbortController();
    const either = AbortSignal.any([ended.signal, late.signal]);
    const reacted = await Promise.race([heard, clock.sleep(silenceMs, either).then(() => false)]);
    late.abort();
    if (!reacted) await worker.kill(`did not react within ${Math.round(silenceMs / 1_000)} s`);
  }
}
