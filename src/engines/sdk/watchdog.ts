import type { Clock } from "../../kernel/clock.ts";
import type { Phase } from "./protocol.ts";

/** How long a worker may be silent in each phase, in milliseconds. A phase that is not listed has no limit. */
export type PhaseTimeouts = Readonly<Partial<Record<Phase, number>>>;

/**
 * Calls `onSilence` when a phase lasts longer than its timeout without a sign of life. A sign of life only stores
 * the time: each phase has one timer, which measures the silence when it fires.
 */
export interface Watchdog extends Disposable {
  enter(phase: Phase): void;
  alive(): void;
  /** While output is not read, silence does not count. */
  suspend(): void;
  resume(): void;
}

export function createWatchdog(clock: Clock, timeouts: PhaseTimeouts, onSilence: (phase: Phase) => void): Watchdog {
  let phase: Phase = "worker";
  let since = clock.monotonic();
  let suspended = false;
  let watch = new AbortController();

  const start = async (signal: AbortSignal): Promise<void> => {
    const limit = timeouts[phase];
    if (limit === undefined) return;
    for (let left = limit; left > 0; left = since + limit - clock.monotonic()) await clock.sleep(left, signal);
    if (!signal.aborted) onSilence(phase);
  };

  const stop = (): void => watch.abort();
  const restart = (): void => {
    stop();
    since = clock.monotonic();
    if (suspended) return;
    watch = new AbortController();
    start(watch.signal).catch(() => {});
  };

  return {
    enter: (next) => {
      phase = next;
      restart();
    },
    alive: () => {
      since = clock.monotonic();
    },
    suspend: () => {
      suspended = true;
      stop();
    },
    resume: () => {
      suspended = false;
      restart();
    },
    [Symbol.dispose]: stop,
  };
}
