import type { Clock } from "../../kernel/clock.ts";

/** How long a program may say nothing: before its first word, and between two. */
export interface CliPatience {
  readonly startMs: number;
  readonly idleMs: number;
}

/** Tells when a program says nothing for longer than it may. While we do not listen, silence is no news. */
export interface SilenceWatch extends Disposable {
  heard(): void;
}

export function watchSilence(
  clock: Clock,
  { startMs, idleMs }: CliPatience,
  { isDeaf, onSilence }: { readonly isDeaf: () => boolean; readonly onSilence: (what: string) => void },
): SilenceWatch {
  const over = new AbortController();
  let hasSpoken = false;
  let since = clock.monotonic();
  const limit = (): number => (hasSpoken ? idleMs : startMs);

  const watch = async (): Promise<void> => {
    for (let left = limit(); left > 0; left = since + limit() - clock.monotonic()) {
      await clock.sleep(left, over.signal);
      if (isDeaf()) since = clock.monotonic();
    }
    const seconds = Math.round(limit() / 100) / 10;
    onSilence(hasSpoken ? `fell silent for ${seconds} s` : `said nothing within ${seconds} s`);
  };
  watch().catch(() => {});

  return {
    heard: () => {
      hasSpoken = true;
      since = clock.monotonic();
    },
    [Symbol.dispose]: () => over.abort(),
  };
}
