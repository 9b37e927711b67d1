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

/**
 * What a loop does each time: finds the most urgent work of its mailbox and executes it. A project has one store, or two
 * when workspaces are kept in memory; within one the store decides what comes first, between them this does.
 */
export interface TakeNextParts {
  readonly system: System<ProductTypes>;
  readonly clock: Clock;
  /** Names this life of the daemon. */
  readonly holder: string;
  readonly read: <T>(space: string | undefined, work: (store: StoreReads) => Promise<T>) => Promise<T>;
  /** A space of each store; undefined stands for the project's own store. */
  readonly nears: () => readonly (string | undefined)[];
}

/** `execute` answers whether the store of the run may have more for the mailbox. */
export function createTakeNext(
  parts: TakeNextParts,
  execute: (begun: BegunRun, signal: AbortSignal) => Promise<boolean>,
): (mailbox: string) => TakeNext {
  const { system, holder } = parts;
  return (mailbox) => {
    /** A run whose end could not be written down because the store failed. Nobody else would ever give it back. */
    let left: RunRecord | undefined;

    return async (signal) => {
      if (left !== undefined) await system.propose(systemCaller, yieldRun, { run: left.id, space: left.space, holder });
      left = undefined;
      let nextDue: number | null = null;
      for (const near of await mostUrgentFirst(parts, mailbox)) {
        const next = await system.propose(systemCaller, beginRun, {
          mailbox,
          holder,
          ...(near === undefined ? {} : { near }),
        });
        if (!next.ok) throw new Error(next.error.message);
        if (next.value.begun !== null) {
          left = next.value.begun.run;
          const more = await execute(next.value.begun, signal);
          left = undefined;
          // What the run's own store knows says nothing of another one.
          return { again: more || parts.nears().length > 1, nextDue: null };
        }
        if (next.value.nextDue !== null) nextDue = Math.min(nextDue ?? Infinity, next.value.nextDue);
      }
      return { again: false, nextDue };
    };
  };
}

/** Whether a run must give way to work in a store it does not live in. Its own store has said so for itself. */
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
