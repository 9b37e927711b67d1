import { system as byItself } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import type { EventHub } from "../kernel/event-hub.ts";
import type { Log } from "../kernel/log.ts";
import type { System } from "../kernel/system.ts";
import type { RecordedEvent } from "../domain/event.ts";
import type { Product } from "../operations/define.ts";
import { expireBallots } from "../operations/expire-ballots.ts";
import { fireSchedules } from "../operations/fire-schedules.ts";

/**
 * What happens because time passes: schedules fire, ballots end. Both are looked up, never remembered, so it does not
 * matter how long the machine slept or how often the daemon was restarted.
 */
export interface TimekeeperParts {
  readonly system: System<Product>;
  readonly clock: Clock;
  readonly events: EventHub<RecordedEvent>;
  readonly log: Log;
}

/** Ballots are looked at this often; schedules also exactly when one is due. */
const LOOK_AGAIN_MS = 5_000;

export function startTimekeeper({ system, clock, events, log }: TimekeeperParts): AsyncDisposable {
  const closing = new AbortController();
  let lookNow = (): void => {};
  const observing = events.observe((published) => {
    if (published.some(({ type }) => type.startsWith("schedule.") || type === "ballot.opened")) lookNow();
  });

  const keep = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const changed = new Promise<void>((resolve) => (lookNow = resolve));
      let wait = LOOK_AGAIN_MS;
      try {
        const fired = await system.propose(byItself, fireSchedules, {});
        if (fired.ok && fired.value.next !== null) wait = Math.min(wait, Math.max(0, fired.value.next - clock.now()));
        await system.propose(byItself, expireBallots, {});
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
