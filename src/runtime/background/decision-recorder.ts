import { systemCaller } from "../../kernel/caller.ts";
import { createSerialQueue } from "../../kernel/serial-queue.ts";
import { recordDecisions } from "../../operations/ballots/record-decisions.ts";
import type { BackgroundParts } from "./background-worker.ts";

/**
 * Writes decided ballots to `decisions.md`: after each one closes, and once at the start, for ballots that a crash
 * left out. A failed write is repeated with the next ballot or start.
 */
export function startDecisionRecorder({ system, events, store, log, holds }: BackgroundParts): AsyncDisposable {
  const queue = createSerialQueue((error, space) => log.error("decisions.md could not be written", { space, error }));

  const record = async (space: string): Promise<void> => {
    for (let more = true; more;) {
      const result = await system.propose(systemCaller, recordDecisions, { space });
      if (!result.ok) log.warn("decisions.md could not be written", { space, reason: result.error.message });
      more = result.ok && result.value.more;
    }
  };
  const enqueue = (space: string): void => {
    const held = holds.hold(space);
    const added = queue.add(space, () => record(space).finally(() => held[Symbol.dispose]()));
    if (!added) held[Symbol.dispose]();
  };

  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "ballot.closed" && event.state !== "cancelled") enqueue(event.space);
    }
  });
  queue
    .run(async () => (await store.read((reads) => reads.ballots.spacesWithUnrecorded())).forEach(enqueue))
    .catch((error: unknown) => log.error("the undecided records could not be read", { error }));

  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      await queue.idle();
    },
  };
}
