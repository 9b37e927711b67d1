import type { RecordedEvent } from "../../domain/event.ts";
import { mailboxAgent, mailboxOf } from "../../domain/delivery/mailbox.ts";
import { isIdle, type Idleness, type LoopStatus } from "../../domain/workspace/idle.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/**
 * Notices when a workspace has nothing left to do. It decides on what the store and the loops say at that moment and
 * looks again whenever something happens there: no state of its own to go wrong.
 */
export interface IdleWatch extends Disposable {
  /** Resolves when the workspace is idle; rejects with the signal's reason. */
  untilIdle(space: string, signal: AbortSignal): Promise<Extract<Idleness, { idle: true }>>;
  /** Something happened there that is no event: a loop came to rest. */
  touch(space: string): void;
}

export interface IdleParts {
  readonly clock: Clock;
  readonly events: EventHub<RecordedEvent>;
  readonly read: <T>(work: (store: StoreReads) => Promise<T>) => Promise<T>;
  /** What the loop of a mailbox is doing in that space. */
  readonly loopStatus: (mailbox: string, space: string) => LoopStatus;
  readonly setupRunning: (space: string) => boolean;
  readonly debounceMs?: number;
}

const DEBOUNCE_MS = 200;
/** A change that nobody told about would be noticed this much later. */
const LOOK_AGAIN_MS = 1_000;

export function createIdleWatch(parts: IdleParts): IdleWatch {
  const lastActivity = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  const touch = (space: string): void => {
    if (!waiting.has(space)) return;
    lastActivity.set(space, parts.clock.monotonic());
    for (const look of waiting.get(space) ?? []) look();
  };
  const observing = parts.events.observe((events) => {
    for (const event of events) if ("space" in event) touch(event.space);
  });

  const look = async (space: string): Promise<Idleness> => {
    const { workspace, roster, open, ballots, approvals } = await parts.read(async (store) => ({
      workspace: await store.workspaces.status(space),
      roster: await store.workspaces.roster(space),
      open: await store.deliveries.countOpenByMailbox(space),
      ballots: await store.ballots.countOpen(space),
      approvals: await store.approvals.countPending(space),
    }));
    // Closed by somebody: what is left there rests until it is opened again.
    if (workspace?.state === "closed")
      return { idle: true, stranded: [...open.values()].reduce((sum, n) => sum + n, 0) };
    // Direct messages have no participants, only the one agent they belong to.
    const consumers = workspace === undefined ? [{ agent: space, isRef: true }] : roster;
    return isIdle({
      loops: consumers.map(({ agent, isRef }) => ({
        agent,
        status: parts.loopStatus(mailboxOf(agent, isRef, space), space),
      })),
      openDeliveries: new Map([...open].map(([mailbox, count]) => [mailboxAgent(mailbox), count])),
      openBallots: ballots,
      pendingApprovals: approvals,
      setupRunning: parts.setupRunning(space),
      lastActivity: lastActivity.get(space) ?? parts.clock.monotonic(),
      now: parts.clock.monotonic(),
      debounceMs: parts.debounceMs ?? DEBOUNCE_MS,
    });
  };

  return {
    touch,
    async untilIdle(space, signal) {
      const looks = waiting.get(space) ?? new Set();
      waiting.set(space, looks);
      lastActivity.set(space, parts.clock.monotonic());
      let wakeUp = (): void => {};
      const changed = (): void => wakeUp();
      looks.add(changed);
      try {
        for (;;) {
          signal.throwIfAborted();
          const happened = new Promise<void>((resolve) => (wakeUp = resolve));
          const idleness = await look(space);
          if (idleness.idle) return idleness;
          const rest = parts.clock.sleep(idleness.recheckInMs ?? LOOK_AGAIN_MS, signal).catch(() => {});
          await Promise.race([happened, rest]);
        }
      } finally {
        looks.delete(changed);
        if (looks.size === 0) {
          waiting.delete(space);
          lastActivity.delete(space);
        }
      }
    },
    [Symbol.dispose]: () => observing[Symbol.dispose](),
  };
}
