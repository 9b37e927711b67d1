/**
 * Whether a run may be the reason why a worker process ended. A run that was in one that ended is suspected: its step is
 * made again in a process of its own. If that goes well, the run is acquitted and shares a process again, but not after it
 * was in two that ended. If its own process ends, it pays, and stays alone as long as the engine remembers it.
 */
export interface Suspicion {
  isSuspected(): boolean;
  /** The worker of the run ended. `shared`: with other runs in it. */
  crashed(shared: boolean): void;
  /** The run finished a step. Returns true when it is not suspected any more. */
  acquit(): boolean;
}

export interface Suspicions {
  of(run: string): Suspicion;
}

/** Runs that are remembered; the earliest are forgotten first. */
const REMEMBERED = 1_000;
const MOST_ACQUITTALS = 1;

interface Suspect {
  suspected: boolean;
  acquittals: number;
}

export function createSuspicions(): Suspicions {
  const suspects = new Map<string, Suspect>();

  const remember = (run: string, suspect: Suspect): void => {
    suspects.delete(run);
    suspects.set(run, suspect);
    const [earliest] = suspects.keys();
    if (suspects.size > REMEMBERED && earliest !== undefined) suspects.delete(earliest);
  };

  return {
    of: (run) => ({
      isSuspected: () => suspects.get(run)?.suspected === true,
      crashed: (shared) => {
        const acquittals = shared ? (suspects.get(run)?.acquittals ?? 0) : MOST_ACQUITTALS;
        remember(run, { suspected: true, acquittals });
      },
      acquit: () => {
        const suspect = suspects.get(run);
        if (suspect?.suspected !== true || suspect.acquittals >= MOST_ACQUITTALS) return false;
        remember(run, { suspected: false, acquittals: suspect.acquittals + 1 });
        return true;
      },
    }),
  };
}

/** For requests that nobody repeats. */
export const NEVER_SUSPECTED: Suspicion = { isSuspected: () => false, crashed: () => {}, acquit: () => false };
