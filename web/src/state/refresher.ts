/**
 * Does something again when asked to, one at a time and not more often than so: what is asked for meanwhile is done
 * once, afterwards, so that a burst of events costs two requests and the last state is always seen.
 */
export interface Refresher {
  refresh(): void;
  stop(): void;
}

export function createRefresher(work: () => Promise<void>, restMs: number): Refresher {
  let busy = false;
  let again = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = async (): Promise<void> => {
    busy = true;
    await work().catch(() => {});
    if (stopped) return;
    timer = setTimeout(() => {
      busy = false;
      if (again) refresh();
    }, restMs);
  };
  const refresh = (): void => {
    again = busy;
    if (!busy && !stopped) void go();
  };
  return {
    refresh,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
