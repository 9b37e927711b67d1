import type { RecordedEvent } from "../../domain/event.ts";
import { systemCaller } from "../../kernel/caller.ts";
import { expireBallots } from "../../operations/ballots/expire-ballots.ts";
import { remindVoters } from "../../operations/ballots/remind-voters.ts";
import { fireSchedules } from "../../operations/schedules/fire-schedules.ts";
import { syncSchedules } from "../../operations/schedules/sync-schedules.ts";
import type { BackgroundParts } from "./background-worker.ts";

/** Ballots are checked this often; schedules also exactly when one is due. */
const CHECK_AGAIN_MS = 5_000;
/** A definition file that was edited by hand is noticed after at most this long. */
const READ_DEFINITIONS_MS = 60_000;

/** These events can change which schedules are defined. */
const CHANGES_SCHEDULES: ReadonlySet<RecordedEvent["type"]> = new Set([
  "workspace.opened",
  "workspace.closed",
  "agent.created",
  "agent.deleted",
  "agent.promoted",
  "schedule.cleared",
]);

/**
 * Fires schedules, ends ballots and reminds voters when they are due. All are read from the store each time, so a machine that slept
 * or a restart makes no difference.
 */
export function startScheduler(parts: BackgroundParts): AsyncDisposable {
  const { system, clock, events, log } = parts;
  const closing = new AbortController();
  let checkNow = (): void => {};
  let syncAt = -Infinity;
  const observing = events.observe((published) => {
    if (published.some(({ type }) => CHANGES_SCHEDULES.has(type))) syncAt = -Infinity;
    if (syncAt === -Infinity || published.some(({ type }) => type.startsWith("schedule.") || type === "ballot.opened"))
      checkNow();
  });

  const check = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const changed = new Promise<void>((resolve) => (checkNow = resolve));
      let wait = CHECK_AGAIN_MS;
      try {
        if (clock.monotonic() >= syncAt) {
          syncAt = clock.monotonic() + READ_DEFINITIONS_MS;
          await system.propose(systemCaller, syncSchedules, {});
        }
        const fired = await system.propose(systemCaller, fireSchedules, {});
        if (fired.ok && fired.value.next !== null) wait = Math.min(wait, Math.max(0, fired.value.next - clock.now()));
        await system.propose(systemCaller, expireBallots, {});
        await system.propose(systemCaller, remindVoters, {});
      } catch (error) {
        log.error("could not look at schedules and ballots", { error });
      }
      await Promise.race([changed, clock.sleep(wait, closing.signal).catch(() => {})]);
    }
  };
  const checking = check();

  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      observing[Symbol.dispose]();
      checkNow();
      await checking;
    },
  };
}
