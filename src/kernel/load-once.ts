import { fullJitter } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import { systemRandom, type Random } from "./random.ts";
import { isScarcity } from "./scarcity.ts";

const ATTEMPTS = 10;
const BACKOFF = { baseMs: 50, capMs: 2_000 };

export interface LoadOnceParts {
  readonly clock: Pick<Clock, "sleep">;
  readonly random?: Random;
}

/**
 * Loads something when it is first needed, for all who need it. A failure is not kept: whoever asks next tries again.
 * While descriptors or memory are scarce, loading is tried again for some seconds before it fails.
 */
export function loadOnce<T>(load: () => Promise<T>, { clock, random = systemRandom }: LoadOnceParts): LoadOnce<T> {
  let loading: Promise<T> | undefined;
  const attempt = async (): Promise<T> => {
    for (let before = 0; ; before += 1) {
      try {
        return await load();
      } catch (error) {
        if (!isScarcity(error) || before + 1 >= ATTEMPTS) throw error;
        await clock.sleep(fullJitter({ ...BACKOFF, attempt: before, random }));
      }
    }
  };
  return {
    get() {
      loading ??= attempt().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
    loaded: () => loading,
  };
}

export interface LoadOnce<T> {
  get(): Promise<T>;
  /** Undefined when it was never needed, or failed. */
  loaded(): Promise<T> | undefined;
}
