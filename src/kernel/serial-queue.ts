/** Runs tasks one after another, in the order in which they were added. A task that fails does not stop the others. */
export interface SerialQueue {
  /** Settles as the task does. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Adds a task without waiting for it, unless one of the same key still waits to start. A failure goes to `onError`. */
  add(key: string, task: () => Promise<void>): void;
  /** Resolves when no task waits or runs, those included that were added meanwhile. Never rejects. */
  idle(): Promise<void>;
}

export function createSerialQueue(onError: (error: unknown, key: string) => void = rethrow): SerialQueue {
  const waiting = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  const run = <T>(task: () => Promise<T>): Promise<T> => {
    const outcome = last.then(task);
    last = outcome.catch(() => {});
    return outcome;
  };
  return {
    run,
    add(key, task) {
      if (waiting.has(key)) return;
      waiting.add(key);
      run(() => {
        waiting.delete(key);
        return task();
      }).catch((error: unknown) => onError(error, key));
    },
    async idle() {
      for (let before; before !== last;) {
        before = last;
        await before;
      }
    },
  };
}

/** Nobody said how to report it: it ends as an unhandled rejection. */
function rethrow(error: unknown): never {
  throw error;
}
