/**
 * Runs a task on request, one at a time and at most once per interval. Requests during a run cause one more run after it,
 * so that a burst of events costs two runs and the last state is always loaded. A task that could not load everything is
 * run again after a while without a request: no event tells that it would succeed now.
 */
export interface Refresher {
  refresh(): void;
  stop(): void;
}

const RETRY_MS = 2000;

/** `incomplete`: something could not be loaded, and may be a little later. */
export type LoadResult = "complete" | "incomplete";

export function createRefresher(task: () => Promise<LoadResult>, minIntervalMs: number, retryMs = RETRY_MS): Refresher {
  let busy = false;
  let again = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = async (): Promise<void> => {
    busy = true;
    const result = await task().catch((): LoadResult => "incomplete");
    if (stopped) return;
    timer = setTimeout(() => {
      busy = false;
      if (again) refresh();
      else if (result === "incomplete") timer = setTimeout(refresh, retryMs);
    }, minIntervalMs);
  };
  const refresh = (): void => {
    again = busy;
    if (busy || stopped) return;
    clearTimeout(timer);
    void run();
  };
  return {
    refresh,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
