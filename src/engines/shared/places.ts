/** A number of places. Whoever finds none free waits, in order. */
export interface Places {
  /** Disposing leaves the place. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<Disposable>;
}

export function createPlaces(count: number): Places {
  let taken = 0;
  const waiting: (() => void)[] = [];

  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  };
  const wait = async (signal: AbortSignal): Promise<void> => {
    const turn = Promise.withResolvers<void>();
    waiting.push(turn.resolve);
    const giveUp = (): void => {
      const at = waiting.indexOf(turn.resolve);
      if (at !== -1) waiting.splice(at, 1);
      turn.reject(signal.reason as Error);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    await turn.promise.finally(() => signal.removeEventListener("abort", giveUp));
  };

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (taken < count) taken += 1;
      else await wait(signal);
      let left = false;
      return {
        [Symbol.dispose]() {
          if (!left) leave();
          left = true;
        },
      };
    },
  };
}
