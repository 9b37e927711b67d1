import type { Clock } from "../../kernel/clock.ts";

/** How long a program may write nothing: until its first output, and between two outputs. */
export interface ProgramTimeouts {
  readonly startMs: number;
  readonly idleMs: number;
}

/** Long, because a program writes nothing while it runs a long command of its own. */
export const DEFAULT_TIMEOUTS: ProgramTimeouts = { startMs: 120_000, idleMs: 20 * 60_000 };

/** Calls `onSilence` once when a program writes nothing for too long. */
export interface SilenceWatch extends Disposable {
  /** The program wrote something. */
  reset(): void;
}

/** While `isPaused` returns true its output is not read, so silence does not count. */
export function watchSilence(
  clock: Clock,
  { startMs, idleMs }: ProgramTimeouts,
  { isPaused, onSilence }: { readonly isPaused?: () => boolean; readonly onSilence: (what: string) => void },
): SilenceWatch {
  const disposed = new AbortController();
  let hasWritten = false;
  let since = clock.monotonic();
  const limit = (): number => (hasWritten ? idleMs : startMs);

  const watch = async (): Promise<void> => {
    for (let left = limit(); left > 0; left = since + limit() - clock.monotonic()) {
      await clock.sleep(left, disposed.signal);
      if (isPaused?.() === true) since = clock.monotonic();
    }
    const seconds = Math.round(limit() / 100) / 10;
    onSilence(hasWritten ? `fell silent for ${seconds} s` : `said nothing within ${seconds} s`);
  };
  watch().catch(() => {});

  return {
    reset: () => {
      hasWritten = true;
      since = clock.monotonic();
    },
    [Symbol.dispose]: () => disposed.abort(),
  };
}
