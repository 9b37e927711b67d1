import type { Clock } from "../../kernel/clock.ts";
import type { Phase } from "./protocol.ts";

/** How long each kind of silence may last, in milliseconds. A phase that is not listed may last for ever. */
export type PhaseTimeouts = Readonly<Partial<Record<Phase, number>>>;

/**
 * Calls `onSilence` when a phase lasts longer than its timeouts without a sign of life. A sign of life costs one
 * reading of the clock: there is one sleep per phase, and whoever wakes from it looks how long the silence really was.
 */
export interface Watchdog extends Disposable {
  enter(phase: Phase): void;
  alive(): void;
  /** While nobody listens, silence is no news. */
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
