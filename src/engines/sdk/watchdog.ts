import type { Clock } from "../../kernel/clock.ts";
import type { Phase } from "./protocol.ts";

/** What takes too long: a phase without a sign of life, or all phases of the model in one step together. */
export type Limit = Phase | "step";

/** How long each may take, in milliseconds. What is not listed has no limit. */
export type PhaseTimeouts = Readonly<Partial<Record<Limit, number>>>;

/**
 * Calls `onLate` when a phase lasts longer than its timeout without a sign of life, or when the model takes longer for
 * its step than it may. A sign of life only stores the time: each phase has one timer, which measures the silence when
 * it fires.
 */
export interface Watchdog extends Disposable {
  enter(phase: Phase): void;
  alive(): void;
  /** While output is not read, silence does not count. */
  suspend(): void;
  resume(): void;
}

/** The time of tools is not the model's. */
const MODEL_PHASES: ReadonlySet<Phase> = new Set(["connect", "headers", "body"] as const);

export function createWatchdog(clock: Clock, timeouts: PhaseTimeouts, onLate: (limit: Limit) => void): Watchdog {
  let phase: Phase = "worker";
  let since = clock.monotonic();
  let modelSince: number | undefined;
  let suspended = false;
  let watch = new AbortController();

  const wait = async (limit: Limit, from: () => number, signal: AbortSignal): Promise<void> => {
    const longest = timeouts[limit];
    if (longest === undefined) return;
    for (;;) {
      const left = from() + longest - clock.monotonic();
      if (left <= 0) break;
      await clock.sleep(left, signal);
    }
    if (!signal.aborted) onLate(limit);
  };

  const stop = (): void => watch.abort();
  const restart = (): void => {
    stop();
    since = clock.monotonic();
    if (suspended) return;
    watch = new AbortController();
    wait(phase, () => since, watch.signal).catch(() => {});
    const began = modelSince;
    if (began !== undefined) wait("step", () => began, watch.signal).catch(() => {});
  };

  return {
    enter: (next) => {
      phase = next;
      modelSince = MODEL_PHASES.has(next) ? (modelSince ?? clock.monotonic()) : undefined;
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
