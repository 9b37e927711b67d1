import type { EngineName } from "../../domain/agent/definition.ts";
import type { Clock } from "../../kernel/clock.ts";
import { loadOnce } from "../../kernel/load-once.ts";
import type { Engine, EngineSession } from "../../ports/engine.ts";

/**
 * An engine that is loaded when the first agent needs it and never has more than `maxSessions` sessions open; further
 * ones wait in order. Most sessions are a process: a team of five hundred must not start five hundred.
 */
export function pooledEngine(
  name: EngineName,
  load: () => Promise<{ readonly engine: Engine; readonly maxSessions: number }>,
  clock: Clock,
): Engine {
  const loading = loadOnce(load, { clock });
  let open = 0;
  const waiting: (() => void)[] = [];

  const acquire = async (maxSessions: number, signal: AbortSignal): Promise<void> => {
    if (open < maxSessions) {
      open += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    waiting.push(turn.resolve);
    const giveUp = (): void => {
      const at = waiting.indexOf(turn.resolve);
      if (at !== -1) waiting.splice(at, 1);
      turn.reject(signal.reason as Error);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    await turn.promise.finally(() => signal.removeEventListener("abort", giveUp));
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) open -= 1;
    else next();
  };

  return {
    name,
    async open(spec, signal) {
      signal.throwIfAborted();
      const { engine, maxSessions } = await loading.get();
      signal.throwIfAborted();
      await acquire(maxSessions, signal);
      try {
        return releasing(await engine.open(spec, signal), release);
      } catch (error) {
        release();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await (await loading.loaded())?.engine[Symbol.asyncDispose]();
    },
  };
}

function releasing(session: EngineSession, release: () => void): EngineSession {
  let released = false;
  return {
    model: session.model,
    step: (input, signal) => session.step(input, signal),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      if (!released) release();
      released = true;
    },
  };
}
