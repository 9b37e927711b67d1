import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import type { RecordedEvent } from "../../domain/event.ts";
import { isIdle, type Idleness, type LoopStatus } from "../../domain/workspace/idle.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Member, WorkspaceRecord } from "../../ports/store/workspace.ts";
import type { SpaceHolds } from "../space-holds.ts";

/**
 * Detects when a workspace has nothing left to do. It reads the current state of the store and the loops, and checks
 * again after every event of the workspace.
 */
export interface IdleWatch extends Disposable {
  /** Resolves when the workspace is idle; rejects with the signal's reason. */
  untilIdle(space: string, signal: AbortSignal): Promise<Extract<Idleness, { idle: true }>>;
  /** Reports activity that is not a recorded event: a loop has finished a run. */
  touch(space: string): void;
}

export interface IdleParts {
  readonly clock: Clock;
  readonly events: EventHub<RecordedEvent>;
  readonly holds: SpaceHolds;
  readonly read: <T>(work: (store: StoreReads) => Promise<T>) => Promise<T>;
  /** What the loop of a mailbox is doing in that space. */
  readonly loopStatus: (mailbox: string, space: string) => LoopStatus;
  /** Called again and again while a workspace that somebody waits for has nothing left to do but to vote. */
  readonly onlyBallotsLeft?: (space: string) => Promise<void>;
  /** Whether another node still works in these spaces. Absent where there is no other. */
  readonly workElsewhere?: (store: StoreReads, spaces: readonly string[]) => Promise<boolean>;
}

/**
 * Everything that leads to more work is in the store, in a loop or held. So this only lets pass what is between two of
 * them: an event that was committed and is not published yet.
 */
const DEBOUNCE_MS = 1;
/** A vote can also come from outside, so one that is late is waited for. */
const VOTING_DEBOUNCE_MS = 200;
/** A change without an event is detected after at most this long. */
const CHECK_AGAIN_MS = 1_000;

/** What is left to do in a space. */
interface Place {
  readonly key: string;
  readonly roster: readonly Member[];
  readonly open: ReadonlyMap<string, number>;
  readonly ballots: number;
  readonly approvals: number;
}

/** A run may still end in a sub-space that is closed; nothing else is left there. */
async function readPlaces(
  store: StoreReads,
  spaces: readonly Pick<WorkspaceRecord, "key" | "state">[],
): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const { key, state } of spaces) {
    const isOpen = state === "open";
    places.push({
      key,
      roster: await store.workspaces.roster(key),
      open: isOpen ? await store.deliveries.countOpenByAgent(key) : new Map(),
      ballots: isOpen ? await store.ballots.countOpen(key) : 0,
      approvals: isOpen ? await store.approvals.countPending(key) : 0,
    });
  }
  return places;
}

export function createIdleWatch(parts: IdleParts): IdleWatch {
  const lastActivity = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  const touch = (place: string): void => {
    const space = workspaceOf(place);
    if (!waiting.has(space)) return;
    lastActivity.set(space, parts.clock.monotonic());
    for (const check of waiting.get(space) ?? []) check();
  };
  const observing = parts.events.observe((events) => {
    for (const event of events) if ("space" in event) touch(event.space);
  });
  const releasing = parts.holds.onRelease(touch);

  const check = async (space: string): Promise<Idleness> => {
    const { workspace, places, elsewhere } = await parts.read(async (store) => {
      const record = await store.workspaces.byKey(space);
      const subSpaces = record === undefined ? [] : await store.workspaces.within(record);
      const keys = [space, ...subSpaces.map(({ key }) => key)];
      return {
        workspace: record,
        places: await readPlaces(store, [{ key: space, state: "open" }, ...subSpaces]),
        elsewhere: (await parts.workElsewhere?.(store, keys)) ?? false,
      };
    });
    const open = new Map<string, number>();
    for (const place of places)
      for (const [agent, count] of place.open) open.set(agent, (open.get(agent) ?? 0) + count);
    // What is left in a closed workspace waits until it is opened again.
    if (workspace?.state === "closed")
      return { idle: true, stranded: [...open.values()].reduce((sum, n) => sum + n, 0) };
    // A direct space has no participants, only its agent.
    const consumersOf = ({ roster }: Place) => (workspace === undefined ? [{ agent: space, ref: space }] : roster);
    const openBallots = places.reduce((sum, { ballots }) => sum + ballots, 0);
    return isIdle({
      loops: places.flatMap((place) =>
        consumersOf(place).map(({ agent, ref }) => ({
          agent,
          status: parts.loopStatus(mailboxOf(agent, ref, place.key), place.key),
        })),
      ),
      openDeliveries: open,
      openBallots,
      pendingApprovals: places.reduce((sum, { approvals }) => sum + approvals, 0),
      held: elsewhere || places.some(({ key }) => parts.holds.isHeld(key)),
      lastActivity: lastActivity.get(space) ?? parts.clock.monotonic(),
      now: parts.clock.monotonic(),
      debounceMs: openBallots > 0 ? VOTING_DEBOUNCE_MS : DEBOUNCE_MS,
    });
  };

  return {
    touch,
    async untilIdle(space, signal) {
      const checks = waiting.get(space) ?? new Set();
      waiting.set(space, checks);
      lastActivity.set(space, parts.clock.monotonic());
      let checkNow = (): void => {};
      const changed = (): void => checkNow();
      checks.add(changed);
      try {
        for (;;) {
          signal.throwIfAborted();
          const happened = new Promise<void>((resolve) => (checkNow = resolve));
          const idleness = await check(space);
          if (idleness.idle) return idleness;
          if (idleness.because === "ballots") await parts.onlyBallotsLeft?.(space);
          const timer = parts.clock.sleep(idleness.recheckInMs ?? CHECK_AGAIN_MS, signal).catch(() => {});
          await Promise.race([happened, timer]);
        }
      } finally {
        checks.delete(changed);
        if (checks.size === 0) {
          waiting.delete(space);
          lastActivity.delete(space);
        }
      }
    },
    [Symbol.dispose]() {
      observing[Symbol.dispose]();
      releasing[Symbol.dispose]();
    },
  };
}
