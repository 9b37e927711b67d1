/**
 * Runs a task on request, one at a time and at most once per interval. Requests during a run cause one more run after it,
 * so that a burst of events costs two runs and the last state is always loaded.
 */
export interface Refresher {
  refresh(): void;
  stop(): void;
}

export function createRefresher(task: () => Promise<void>, minIntervalMs: number): Refresher {
  let busy = false;
  let again = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = async (): Promise<void> => {
    busy = true;
    await task().catch(() => {});
    if (stopped) return;
    timer = setTimeout(() => {
      busy = false;
      if (again) refresh();
    }, minIntervalMs);
  };
  const refresh = (): void => {
    again = busy;
    if (!busy && !stopped) void run();
  };
  return {
    refresh,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
