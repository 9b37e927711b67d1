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

/** Keeps the process alive until disposed: sleeping does not, and a program whose work is all waiting would end. */
export function holdProcess(): Disposable {
  const handle = setInterval(() => {}, 0x7fff_ffff);
  return { [Symbol.dispose]: () => clearInterval(handle) };
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
