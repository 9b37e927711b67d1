import type { RecordedEvent } from "../../domain/event.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { Log } from "../../kernel/log.ts";
import type { CommitNews } from "../../ports/store/cluster/peers.ts";
import type { Store } from "../../ports/store/store.ts";

/** Publishes the events of a store that several daemons share. */
export interface EventFollower extends Disposable {
  /** What this daemon committed. Resolves when it is published. */
  publish(events: readonly RecordedEvent[]): void | Promise<void>;
}

export interface EventFollowerParts {
  readonly store: Store;
  readonly events: EventHub<RecordedEvent>;
  /** Mailboxes for which another daemon may have found work. */
  readonly wake: (mailboxes: readonly string[]) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** A hint of another daemon may be lost: how long its events then wait at most. */
const LOOK_MS = 5_000;
const PAGE = 500;
/** Events of spaces in memory belong to this daemon alone, and are published when they happen. */
const NO_MORE_EPHEMERAL = Number.MAX_SAFE_INTEGER;

/**
 * Every daemon publishes all events, its own and those of others, in the order of their commits. Numbers have no gaps:
 * if the next event is its own it is published at once, and otherwise what is missing is read from the store first.
 */
export async function followEvents(parts: EventFollowerParts): Promise<EventFollower> {
  const { store, events, clock, log } = parts;
  let { durable: cursor } = await store.read((reads) => reads.events.last());
  let reading: Promise<void> | undefined;
  let isOutdated = false;
  const stopped = new AbortController();

  const readOnce = async (): Promise<void> => {
    for (;;) {
      const from = { durable: cursor, ephemeral: NO_MORE_EPHEMERAL };
      const page = await store.read((reads) => reads.events.after(from, PAGE));
      const next = page.events.filter(({ seq }) => seq > cursor);
      if (next.length === 0) return;
      cursor = next.at(-1)?.seq ?? cursor;
      events.publish(next);
    }
  };
  /** Of several that ask at once, one reads; whoever asked meanwhile is answered by one more look. */
  const catchUp = async (): Promise<void> => {
    isOutdated = true;
    while (isOutdated || reading !== undefined) {
      if (reading === undefined) {
        isOutdated = false;
        reading = readOnce().finally(() => (reading = undefined));
      }
      await reading;
    }
  };
  let waking: Promise<void> | undefined;
  let isWakeOutdated = false;
  /** As `catchUp`: under load another node commits more often than this one can look. */
  const wakeOthers = async (): Promise<void> => {
    isWakeOutdated = true;
    waking ??= (async () => {
      while (isWakeOutdated) {
        isWakeOutdated = false;
        parts.wake(await store.read((reads) => reads.deliveries.mailboxesWithPending()));
      }
    })().finally(() => (waking = undefined));
    await waking;
  };
  const look = async ({ isHinted }: { readonly isHinted: boolean }): Promise<void> => {
    try {
      const before = cursor;
      // Work is looked for at once: whoever waits for an answer does not wait for the events.
      await Promise.all([catchUp(), isHinted ? wakeOthers() : undefined]);
      if (!isHinted && cursor !== before) await wakeOthers();
    } catch (error) {
      if (!stopped.signal.aborted) log.warn("could not read what other daemons did", { error });
    }
  };
  /** A hint says what was committed. Only what came before may have to be read. */
  const take = async ({ events: told, woken }: CommitNews): Promise<void> => {
    if (woken.length > 0) parts.wake(woken);
    const next = told.filter(({ seq }) => seq > cursor);
    if (next.length === 0) return;
    if (reading === undefined && next[0]?.seq === cursor + 1) {
      cursor = next.at(-1)?.seq ?? cursor;
      events.publish(next);
    } else await catchUp().catch((error: unknown) => log.warn("could not read what other daemons did", { error }));
  };
  const observing = store.peers?.observe({
    committed: (news) => void (news === undefined ? look({ isHinted: true }) : take(news)),
    told: () => {},
  });
  void (async () => {
    for (;;) {
      await clock.sleep(LOOK_MS, stopped.signal);
      await look({ isHinted: false });
    }
  })().catch(() => {});

  return {
    publish(published) {
      const own = published.filter(({ isEphemeral }) => isEphemeral === true);
      if (own.length > 0) events.publish(own);
      const durable = published.filter(({ isEphemeral }) => isEphemeral !== true);
      const first = durable[0];
      if (first === undefined) return undefined;
      if (reading !== undefined || first.seq !== cursor + 1) {
        // It is committed: what cannot be read now is published with the next look.
        return catchUp().catch((error: unknown) => log.warn("could not read what was committed", { error }));
      }
      cursor = durable.at(-1)?.seq ?? cursor;
      events.publish(durable);
      return undefined;
    },
    [Symbol.dispose]() {
      stopped.abort();
      observing?.[Symbol.dispose]();
    },
  };
}
