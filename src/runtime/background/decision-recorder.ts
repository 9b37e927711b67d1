import type { RecordedEvent } from "../../domain/event.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { Log } from "../../kernel/log.ts";
import type { System } from "../../kernel/system.ts";
import type { ProductTypes } from "../../operations/core/define.ts";
import { recordDecisions } from "../../operations/ballots/record-decisions.ts";
import type { Store } from "../../ports/store/store.ts";

/**
 * Brings decided ballots into `decisions.md`: after each one closes, and once at the start for those a crash left out.
 * The file is a convenience; when it cannot be written the log says so, and the next ballot or the next start tries
 * again.
 */
export function startDecisionRecorder(parts: {
  readonly system: System<ProductTypes>;
  readonly events: EventHub<RecordedEvent>;
  readonly store: Store;
  readonly log: Log;
}): AsyncDisposable {
  const { system, events, store, log } = parts;
  const queued = new Set<string>();
  let work: Promise<void> = Promise.resolve();
  let closed = false;

  const record = async (space: string): Promise<void> => {
    queued.delete(space);
    for (let more = true; more && !closed;) {
      const result = await system.propose(systemCaller, recordDecisions, { space });
      if (!result.ok) log.warn("decisions.md could not be written", { space, reason: result.error.message });
      more = result.ok && result.value.more;
    }
  };

  const enqueue = (space: string): void => {
    if (closed || queued.has(space)) return;
    queued.add(space);
    work = work
      .then(() => record(space))
      .catch((error: unknown) => log.error("decisions.md could not be written", { space, error }));
  };

  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "ballot.closed" && event.state !== "cancelled") enqueue(event.space);
    }
  });
  work = store
    .read((reads) => reads.ballots.spacesWithUnrecorded())
    .then((spaces) => spaces.forEach(enqueue))
    .catch((error: unknown) => log.error("the undecided records could not be read", { error }));

  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      for (let before; before !== work;) {
        before = work;
        await work;
      }
      closed = true;
    },
  };
}
