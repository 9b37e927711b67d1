/**
 * One subscriber of a hub. Each has a bounded queue: a subscriber that does not keep up is dropped, and can resume from the
 * store by sequence number. So a slow reader neither delays the others nor uses unbounded memory.
 */
export interface Subscription<E> extends AsyncIterable<E>, Disposable {
  /** True once the queue was full: the iteration ends after what was queued. */
  readonly dropped: boolean;
}

export interface EventHub<E> {
  publish(events: readonly E[]): void;
  subscribe(options?: { readonly capacity?: number; readonly filter?: (event: E) => boolean }): Subscription<E>;
  /** Calls the observer synchronously while publishing, for every event. It must be fast and must not throw. */
  observe(observer: (events: readonly E[]) => void): Disposable;
  readonly subscribers: number;
}

const DEFAULT_CAPACITY = 1024;

export function createEventHub<E>(onObserverError: (error: unknown) => void): EventHub<E> {
  const queues = new Set<SubscriberQueue<E>>();
  const observers = new Set<(events: readonly E[]) => void>();
  return {
    publish(events) {
      if (events.length === 0) return;
      for (const observer of observers) {
        try {
          observer(events);
        } catch (error) {
          onObserverError(error);
        }
      }
      for (const queue of queues) {
        try {
          queue.offer(events);
        } catch (error) {
          onObserverError(error);
        }
      }
    },
    subscribe({ capacity = DEFAULT_CAPACITY, filter } = {}) {
      const queue = new SubscriberQueue<E>(capacity, filter, () => queues.delete(queue));
      queues.add(queue);
      return queue;
    },
    observe(observer) {
      observers.add(observer);
      return { [Symbol.dispose]: () => void observers.delete(observer) };
    },
    get subscribers() {
      return queues.size;
    },
  };
}

class SubscriberQueue<E> implements Subscription<E> {
  dropped = false;
  #events: E[] = [];
  /** Taken out of the queue, not yet yielded. */
  #batch: E[] = [];
  #closed = false;
  #wake: (() => void) | undefined;
  readonly #capacity: number;
  readonly #filter: ((event: E) => boolean) | undefined;
  readonly #onClose: () => void;

  constructor(capacity: number, filter: ((event: E) => boolean) | undefined, onClose: () => void) {
    this.#capacity = capacity;
    this.#filter = filter;
    this.#onClose = onClose;
  }

  offer(events: readonly E[]): void {
    for (const event of events) {
      if (this.#filter?.(event) === false) continue;
      if (this.#events.length >= this.#capacity) {
        this.dropped = true;
        this.#close();
        return;
      }
      this.#events.push(event);
    }
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<E> {
    try {
      while (true) {
        this.#batch = this.#events;
        this.#events = [];
        yield* this.#batch;
        if (this.#events.length > 0) continue;
        if (this.#closed) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
    } finally {
      this.#close();
    }
  }

  [Symbol.dispose](): void {
    this.#events = [];
    this.#batch.length = 0;
    this.#close();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
    this.#wake?.();
  }
}
