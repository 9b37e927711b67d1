/**
 * A queue between a producer that pushes and a consumer that pulls. It calls `onFull`, so that the producer
 * pauses, when the consumer is too slow. A failure is delivered before the waiting items.
 */
export interface MessageQueue<T> {
  push(item: T): void;
  /** Only the first failure counts. */
  fail(error: unknown): void;
  /** One consumer at a time. Rejects with the failure. */
  next(): Promise<T>;
}

export function createMessageQueue<T>(options: {
  readonly highWater: number;
  readonly onFull: () => void;
  readonly onDrained: () => void;
}): MessageQueue<T> {
  let items: T[] = [];
  let taken = 0;
  let full = false;
  let failure: { readonly error: unknown } | undefined;
  let waiting: PromiseWithResolvers<T> | undefined;

  return {
    push(item) {
      if (waiting !== undefined) {
        waiting.resolve(item);
        waiting = undefined;
        return;
      }
      items.push(item);
      if (!full && items.length - taken >= options.highWater) {
        full = true;
        options.onFull();
      }
    },
    fail(error) {
      if (failure !== undefined) return;
      failure = { error };
      waiting?.reject(error);
      waiting = undefined;
    },
    next() {
      if (failure !== undefined) return Promise.reject(failure.error);
      const item = items[taken];
      if (item === undefined) {
        waiting = Promise.withResolvers<T>();
        return waiting.promise;
      }
      taken += 1;
      if (taken === items.length) {
        items = [];
        taken = 0;
        if (full) {
          full = false;
          options.onDrained();
        }
      }
      return Promise.resolve(item);
    },
  };
}
