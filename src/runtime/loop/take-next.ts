import { mustYield, pickNext } from "../../domain/delivery/aging.ts";
import { laneRank } from "../../domain/delivery/lane.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { System } from "../../kernel/system.ts";
import { beginRun, type BegunRun } from "../../operations/runs/begin-run.ts";
import type { ProductTypes } from "../../operations/core/define.ts";
import { laneAt, waiting } from "../../operations/runs/leased-run.ts";
import { yieldRun } from "../../operations/runs/yield-run.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { TakeNext } from "./agent-loop.ts";

export interface TakeNextParts {
  readonly system: System<ProductTypes>;
  readonly clock: Clock;
  readonly leaseOwner: string;
  readonly read: <T>(space: string | undefined, work: (store: StoreReads) => Promise<T>) => Promise<T>;
  /** A space of each store; undefined stands for the project's own store. */
  readonly nears: () => readonly (string | undefined)[];
}

/**
 * What a loop does each time: leases the most urgent work of its mailbox and executes it. `execute` returns whether the
 * store of the run may have more for the mailbox. Within one store the store decides what comes first; between the
 * project's store and the one in memory, this function does.
 */
export function createTakeNext(
  parts: TakeNextParts,
  execute: (begun: BegunRun, signal: AbortSignal) => Promise<boolean>,
): (mailbox: string) => TakeNext {
  const { system, leaseOwner: holder } = parts;
  return (mailbox) => {
    /** A run whose end could not be stored. Until it yields, no other loop can take it. */
    let unfinished: RunRecord | undefined;

    return async (signal) => {
      if (unfinished !== undefined)
        await system.propose(systemCaller, yieldRun, { run: unfinished.id, space: unfinished.space, holder });
      unfinished = undefined;
      let nextDue: number | null = null;
      for (const near of await mostUrgentFirst(parts, mailbox)) {
        const next = await system.propose(systemCaller, beginRun, {
          mailbox,
          holder,
          ...(near === undefined ? {} : { near }),
        });
        if (!next.ok) throw new Error(next.error.message);
        if (next.value.begun !== null) {
          unfinished = next.value.begun.run;
          const more = await execute(next.value.begun, signal);
          unfinished = undefined;
          // What the run's own store knows says nothing of another one.
          return { again: more || parts.nears().length > 1, nextDue: null };
        }
        if (next.value.nextDue !== null) nextDue = Math.min(nextDue ?? Infinity, next.value.nextDue);
      }
      return { again: false, nextDue };
    };
  };
}

/** Whether a run must yield to work in another store than its own. Its own store has decided that for itself. */
export async function mustYieldElsewhere(parts: TakeNextParts, { mailbox, lane }: RunRecord): Promise<boolean> {
  const nears = parts.nears();
  if (nears.length < 2) return false;
  const now = parts.clock.now();
  for (const near of nears) {
    const heads = await parts.read(near, (store) => store.deliveries.heads(mailbox, now));
    if (mustYield(lane, heads.map(waiting), now)) return true;
  }
  return false;
}

async function mostUrgentFirst(parts: TakeNextParts, mailbox: string): Promise<readonly (string | undefined)[]> {
  const nears = parts.nears();
  if (nears.length < 2) return nears;
  const now = parts.clock.now();
  const found = await Promise.all(
    nears.map(async (near) => {
      const heads = await parts.read(near, (store) => store.deliveries.heads(mailbox, now));
      const next = pickNext(heads.map(waiting), now);
      return next === undefined
        ? { near, rank: Infinity, since: 0 }
        : { near, rank: laneRank(laneAt(next.delivery, now)), since: next.waitingSince };
    }),
  );
  return found.toSorted((a, b) => compare(a.rank, b.rank) || compare(a.since, b.since)).map(({ near }) => near);
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
