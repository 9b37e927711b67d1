/**
 * The only source of time, so that schedules, backoff, aging and debounce can be tested in milliseconds. `now` is for
 * people and calendars and may jump either way. Durations are measured with `monotonic`, which never goes back and is not
 * comparable between processes.
 */
export interface Clock {
  /** Wall time in milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since an arbitrary start. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. Never keeps the process alive by itself. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Keeps the process alive until disposed: `sleep` does not, so a process that only waits would end. */
export function holdProcess(): Disposable {
  const handle = setInterval(() => {}, MAX_TIMER_MS);
  return { [Symbol.dispose]: () => clearInterval(handle) };
}

/** A longer timer would fire at once. */
const MAX_TIMER_MS = 0x7fff_ffff;

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `performance`: loading it slows down short commands.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      let timer: NodeJS.Timeout;
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const wait = (left: number): void => {
        timer = setTimeout(
          () => {
            if (left > MAX_TIMER_MS) return wait(left - MAX_TIMER_MS);
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
          Math.min(left, MAX_TIMER_MS),
        ).unref();
      };
      wait(ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};
