import { system as systemCaller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { Log } from "../../kernel/log.ts";
import type { System } from "../../kernel/system.ts";
import type { RecordedEvent } from "../../domain/event.ts";
import type { ProductTypes } from "../../operations/core/define.ts";
import { expireBallots } from "../../operations/ballots/expire-ballots.ts";
import { fireSchedules } from "../../operations/schedules/fire-schedules.ts";
import { syncSchedules } from "../../operations/schedules/sync-schedules.ts";

/**
 * What happens because time passes: schedules fire, ballots end. Both are looked up, never remembered, so it does not
 * matter how long the machine slept or how often the daemon was restarted.
 */
export interface SchedulerParts {
  readonly system: System<ProductTypes>;
  readonly clock: Clock;
  readonly events: EventHub<RecordedEvent>;
  readonly log: Log;
}

/** Ballots are looked at this often; schedules also exactly when one is due. */
const LOOK_AGAIN_MS = 5_000;
/** Files that were edited by hand are noticed after at most this long. */
const READ_DEFINITIONS_MS = 60_000;

/** What may change which schedules are written in definitions. */
const CHANGES_DEFINED: ReadonlySet<RecordedEvent["type"]> = new Set([
  "workspace.opened",
  "workspace.closed",
  "agent.created",
  "agent.deleted",
  "agent.promoted",
  "schedule.cleared",
]);

export function startScheduler({ system, clock, events, log }: SchedulerParts): AsyncDisposable {
  const closing = new AbortController();
  let lookNow = (): void => {};
  let syncAt = -Infinity;
  const observing = events.observe((published) => {
    if (published.some(({ type }) => CHANGES_DEFINED.has(type))) syncAt = -Infinity;
    if (syncAt === -Infinity || published.some(({ type }) => type.startsWith("schedule.") || type === "ballot.opened"))
      lookNow();
  });

  const keep = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const changed = new Promise<void>((resolve) => (lookNow = resolve));
      let wait = LOOK_AGAIN_MS;
      try {
        if (clock.monotonic() >= syncAt) {
          syncAt = clock.monotonic() + READ_DEFINITIONS_MS;
          await system.propose(systemCaller, syncSchedules, {});
        }
        const fired = await system.propose(systemCaller, fireSchedules, {});
        if (fired.ok && fired.value.next !== null) wait = Math.min(wait, Math.max(0, fired.value.next - clock.now()));
        await system.propose(systemCaller, expireBallots, {});
      } catch (error) {
        log.error("could not look at schedules and ballots", { error });
      }
      await Promise.race([changed, clock.sleep(wait, closing.signal).catch(() => {})]);
    }
  };
  const keeping = keep();

  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      observing[Symbol.dispose]();
      lookNow();
      await keeping;
    },
  };
}
