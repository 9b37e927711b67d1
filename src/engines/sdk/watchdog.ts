import type { Clock } from "../../kernel/clock.ts";
import type { Phase } from "./protocol.ts";

/** What takes too long: a phase without a sign of life, or all phases of the model in one step together. */
export type Limit = Phase | "step";

/** How long each may take, in milliseconds. What is not listed has no limit. */
export type PhaseTimeouts = Readonly<Partial<Record<Limit, number>>>;

/**
 * Calls `onLate` when a phase lasts longer than its timeout without a sign of life, or when the model takes longer for
 * its step than it may. A sign of life only stores the time: one timer measures the silence when it fires.
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

/** An abort without a reason makes an error with a stack, at each step of each run. */
const STOPPED = new Error("The watch has ended.");

export function createWatchdog(clock: Clock, timeouts: PhaseTimeouts, onLate: (limit: Limit) => void): Watchdog {
  let phase: Phase = "worker";
  let since = clock.monotonic();
  let modelSince: number | undefined;
  let suspended = false;
  let ended = false;
  let timer = new AbortController();
  let firesAt = Number.POSITIVE_INFINITY;

  const deadline = (limit: Limit, from: number | undefined): number => {
    const longest = timeouts[limit];
    return from === undefined || longest === undefined ? Number.POSITIVE_INFINITY : from + longest;
  };
  const look = (): void => {
    if (suspended || ended) return;
    const phaseEnd = deadline(phase, since);
    const stepEnd = deadline("step", modelSince);
    const end = Math.min(phaseEnd, stepEnd);
    const now = clock.monotonic();
    if (end <= now) {
      ended = true;
      onLate(phaseEnd <= stepEnd ? phase : "step");
    } else if (end < firesAt) sleep(end, end - now);
  };
  /** A timer that fires earlier than it has to looks again; only one that would fire too late is replaced. */
  const sleep = (until: number, ms: number): void => {
    timer.abort(STOPPED);
    timer = new AbortController();
    firesAt = until;
    clock.sleep(ms, timer.signal).then(
      () => {
        firesAt = Number.POSITIVE_INFINITY;
        look();
      },
      () => {},
    );
  };

  return {
    enter: (next) => {
      phase = next;
      since = clock.monotonic();
      modelSince = MODEL_PHASES.has(next) ? (modelSince ?? since) : undefined;
      look();
    },
    alive: () => {
      since = clock.monotonic();
    },
    suspend: () => {
      suspended = true;
    },
    resume: () => {
      suspended = false;
      since = clock.monotonic();
      look();
    },
    [Symbol.dispose]: () => {
      ended = true;
      timer.abort(STOPPED);
    },
  };
}
