/** How many runs a daemon executes at once, in all its projects. */
export interface RunSlots {
  /** Takes a place; undefined when all are taken. Disposing it gives it back. */
  take(): Disposable | undefined;
  /** Calls the function when a place is given back that somebody wanted in vain. */
  onFree(listener: () => void): Disposable;
}

/** `capacity` null: there are always places, and nothing is counted. */
export function createRunSlots(capacity: number | null): RunSlots {
  const listeners = new Set<() => void>();
  let taken = 0;
  let isWanted = false;
  return {
    take() {
      if (capacity === null) return NO_LIMIT;
      if (taken >= capacity) {
        isWanted = true;
        return undefined;
      }
      taken += 1;
      return {
        [Symbol.dispose]() {
          taken -= 1;
          // Who took a place and found nothing to do must not wake itself.
          if (!isWanted) return;
          isWanted = false;
          for (const listener of listeners) listener();
        },
      };
    },
    onFree(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

const NO_LIMIT: Disposable = { [Symbol.dispose]: () => {} };
