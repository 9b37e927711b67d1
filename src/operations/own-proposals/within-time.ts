import type { Clock } from "../../kernel/clock.ts";

/**
 * Waits for work of a project's code, but not longer than `ms`. The signal is aborted when the time is over. What comes
 * of the work after that is ignored.
 */
export async function withinTime<T>(
  clock: Pick<Clock, "sleep">,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly value: T } | "over"> {
  const over = new AbortController();
  const finished = new AbortController();
  const working = work(over.signal).then((value) => ({ value }));
  const waiting = clock.sleep(ms, finished.signal).then(
    () => "over" as const,
    () => "over" as const,
  );
  try {
    const first = await Promise.race([working, waiting]);
    if (first === "over") {
      working.catch(() => {});
      over.abort(new Error("The time is over."));
    }
    return first;
  } finally {
    finished.abort();
  }
}
