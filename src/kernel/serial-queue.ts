/** Runs tasks one after another, in the order in which they were added. A task that fails does not stop the others. */
export interface SerialQueue {
  /** Settles like the task. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Adds a task, unless one with the same key still waits; returns whether it did. Without `onError` a failure is an
   * unhandled rejection.
   */
  add(key: string, task: () => Promise<void>): boolean;
  /** Resolves when no task waits or runs, including tasks added meanwhile. Never rejects. */
  idle(): Promise<void>;
}

export function createSerialQueue(
  onError: (error: unknown, key: string) => void = (error) => {
    throw error;
  },
): SerialQueue {
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
      if (waiting.has(key)) return false;
      waiting.add(key);
      run(() => {
        waiting.delete(key);
        return task();
      }).catch((error: unknown) => onError(error, key));
      return true;
    },
    async idle() {
      for (let before; before !== last;) {
        before = last;
        await before;
      }
    },
  };
}
