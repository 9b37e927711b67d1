import type { EngineName } from "../../domain/agent/definition.ts";
import type { Clock } from "../../kernel/clock.ts";
import { loadOnce } from "../../kernel/load-once.ts";
import type { Engine, EngineSession } from "../../ports/engine.ts";
import { createPlaces } from "./places.ts";

/**
 * An engine that is loaded when the first agent needs it and never has more than `maxSessions` sessions open; further
 * ones wait in order. Most sessions are a process: a team of five hundred must not start five hundred.
 */
export function pooledEngine(
  name: EngineName,
  load: () => Promise<{ readonly engine: Engine; readonly maxSessions: number }>,
  clock: Clock,
): Engine {
  const loading = loadOnce(
    async () => {
      const { engine, maxSessions } = await load();
      return { engine, places: createPlaces(maxSessions) };
    },
    { clock },
  );

  return {
    name,
    async open(spec, signal) {
      signal.throwIfAborted();
      const { engine, places } = await loading.get();
      const place = await places.take(signal);
      try {
        return releasing(await engine.open(spec, signal), place);
      } catch (error) {
        place[Symbol.dispose]();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await (await loading.loaded())?.engine[Symbol.asyncDispose]();
    },
  };
}

function releasing(session: EngineSession, place: Disposable): EngineSession {
  return {
    model: session.model,
    step: (input, signal) => session.step(input, signal),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}
