/**
 * Spaces in which something is underway that neither a delivery nor a loop shows: a setup, rules that act on what
 * happened, a file that follows the store. A space that is held is not idle.
 */
export interface SpaceHolds {
  /** The space is held until the returned object is disposed. It can be held more than once. */
  hold(space: string): Disposable;
  isHeld(space: string): boolean;
  /** Calls the listener when a space is not held any more. */
  onRelease(listener: (space: string) => void): Disposable;
}

export function createSpaceHolds(): SpaceHolds {
  const counts = new Map<string, number>();
  const listeners = new Set<(space: string) => void>();

  const release = (space: string): void => {
    const left = (counts.get(space) ?? 1) - 1;
    if (left > 0) return void counts.set(space, left);
    counts.delete(space);
    for (const listener of listeners) listener(space);
  };

  return {
    hold(space) {
      counts.set(space, (counts.get(space) ?? 0) + 1);
      let held = true;
      return {
        [Symbol.dispose]() {
          if (held) release(space);
          held = false;
        },
      };
    },
    isHeld: (space) => counts.has(space),
    onRelease(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}
