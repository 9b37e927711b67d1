import { systemCaller } from "../../kernel/caller.ts";
import type { System } from "../../kernel/system.ts";
import type { ProductTypes } from "../../operations/core/define.ts";
import { beginRun, type BegunRun } from "../../operations/runs/begin-run.ts";
import { yieldRun } from "../../operations/runs/yield-run.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { TakeNext } from "./agent-loop.ts";

export interface TakeNextParts {
  readonly system: System<ProductTypes>;
  readonly definitions: Pick<Definitions, "refresh">;
  /** Id of this daemon instance. */
  readonly leaseOwner: string;
  /** Called when the mailbox has work, and a run of another node. */
  readonly onBusy?: (run: string, mailbox: string) => void;
}

/**
 * Returns a function for each mailbox that begins the most urgent run of the mailbox and executes it. `execute` returns
 * whether the mailbox may have more to do.
 */
export function createTakeNext(
  { system, definitions, leaseOwner, onBusy }: TakeNextParts,
  execute: (begun: BegunRun, signal: AbortSignal) => Promise<boolean>,
): (mailbox: string) => TakeNext {
  return (mailbox) => {
    /** A run whose end could not be written because the store failed. Only this loop can release it. */
    let unfinished: RunRecord | undefined;

    return async (signal) => {
      if (unfinished !== undefined) {
        const { id: run, space, fence } = unfinished;
        await system.propose(systemCaller, yieldRun, { run, space, leaseOwner, fence });
      }
      unfinished = undefined;
      let next = await system.propose(systemCaller, beginRun, { mailbox, leaseOwner });
      if (next.ok && next.value.outdated === true) {
        await definitions.refresh();
        next = await system.propose(systemCaller, beginRun, { mailbox, leaseOwner, refreshed: true });
      }
      if (!next.ok) throw new Error(next.error.message);
      const { begun, nextDue, stopped = false, busy } = next.value;
      if (busy !== undefined && busy.leaseOwner !== leaseOwner) onBusy?.(busy.id, mailbox);
      if (begun === null) return { again: false, nextDue, stopped };
      unfinished = begun.run;
      const again = await execute(begun, signal);
      unfinished = undefined;
      return { again, nextDue: null };
    };
  };
}
