import type { Clock } from "../../src/kernel/clock.ts";

/** A clock that moves only when told to. `sleep` resolves when the time has been reached by `advance` or `set`. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Sets the wall clock alone, in either direction: what a person or a time server does. */
  set(ms: number): void;
}

const START = Date.UTC(2026, 0, 5, 9, 0, 0);

export function manualClock(start: number = START): ManualClock {
  let wall = start;
  let monotonic = 0;
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  return {
    now: () => wall,
    monotonic: () => monotonic,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        if (signal?.aborted === true) reject(signal.reason as Error);
        else sleepers.push({ until: monotonic + ms, wake: resolve });
      }),
    advance(ms) {
      wall += ms;
      monotonic += ms;
      const due = sleepers.filter(({ until }) => until <= monotonic);
      sleepers = sleepers.filter(({ until }) => until > monotonic);
      for (const { wake } of due) wake();
    },
    set(ms) {
      wall = ms;
    },
  };
}
