import type { EngineName } from "../../domain/agent/definition.ts";
import type { Engine, EngineSession } from "../../ports/engine.ts";

/**
 * An engine that is made when the first agent needs it, and that never runs more than so many sessions at once: each is
 * a process of its own, and a team of five hundred must not start five hundred.
 */
export function pooledEngine(name: EngineName, maxSessions: number, make: () => Promise<Engine>): Engine {
  let made: Promise<Engine> | undefined;
  let free = maxSessions;
  const waiting: (() => void)[] = [];

  const takePlace = async (signal: AbortSignal): Promise<void> => {
    if (free > 0) {
      free -= 1;
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
  const leavePlace = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };

  return {
    name,
    async open(spec, signal) {
      signal.throwIfAborted();
      await takePlace(signal);
      try {
        made ??= make();
        return leavingPlace(await (await made).open(spec, signal), leavePlace);
      } catch (error) {
        leavePlace();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      if (made !== undefined) await (await made)[Symbol.asyncDispose]();
    },
  };
}

function leavingPlace(session: EngineSession, leave: () => void): EngineSession {
  let left = false;
  return {
    step: (input, signal) => session.step(input, signal),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      if (!left) leave();
      left = true;
    },
  };
}
