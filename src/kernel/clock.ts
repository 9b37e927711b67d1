/**
 * Every reading of time goes through a Clock, so that schedules, backoff, aging and debounce can be tested in
 * milliseconds. `now` is for people and calendars and may jump either way; anything that measures a duration uses
 * `monotonic`, which never goes back and is not comparable between processes.
 */
export interface Clock {
  /** Wall time in milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since an arbitrary start. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. Never keeps the process alive by itself. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms).unref();
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};
