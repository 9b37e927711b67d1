import type { RecordedEvent } from "../../domain/event.ts";
import { systemCaller } from "../../kernel/caller.ts";
import { expireBallots } from "../../operations/ballots/expire-ballots.ts";
import { remindVoters } from "../../operations/ballots/remind-voters.ts";
import { fireSchedules } from "../../operations/schedules/fire-schedules.ts";
import { syncSchedules } from "../../operations/schedules/sync-schedules.ts";
import type { BackgroundParts } from "./background-worker.ts";

/** Ballots are checked this often; schedules also exactly when one is due. */
const CHECK_AGAIN_MS = 5_000;
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
  const { system, definitions, clock, events, log, services } = parts;
  const closing = new AbortController();
  let checkNow = (): void => {};
  let mustSync = true;
  let nextDue: number | null = null;
  const observing = events.observe((published) => {
    if (published.some(({ type }) => CHANGES_SCHEDULES.has(type))) mustSync = true;
    if (mustSync || published.some(({ type }) => type.startsWith("schedule.") || type === "ballot.opened")) checkNow();
  });

  /** Returns how long to wait until the next look. */
  const look = async (): Promise<number> => {
    // One node looks for all. Were there two for a moment, the row of a schedule would still fire once.
    if (!services.node.isLead()) return CHECK_AGAIN_MS;
    // A schedule that is due may just have been deleted from its file.
    if (nextDue !== null && clock.now() >= nextDue) await definitions.refresh();
    if (mustSync) {
      mustSync = false;
      await system.propose(systemCaller, syncSchedules, {});
    }
    const fired = await system.propose(systemCaller, fireSchedules, {});
    nextDue = fired.ok ? fired.value.next : null;
    await system.propose(systemCaller, expireBallots, {});
    await system.propose(systemCaller, remindVoters, {});
    return nextDue === null ? CHECK_AGAIN_MS : Math.min(CHECK_AGAIN_MS, Math.max(0, nextDue - clock.now()));
  };

  const check = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const changed = new Promise<void>((resolve) => (checkNow = resolve));
      let wait = CHECK_AGAIN_MS;
      try {
        wait = await look();
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
