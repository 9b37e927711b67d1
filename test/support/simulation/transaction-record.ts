import type { DeliveryStatus } from "../../../src/domain/delivery/state.ts";
import type { DomainEvent, RecordedEvent } from "../../../src/domain/event.ts";
import type { Refusal } from "../../../src/kernel/refusal.ts";
import type { Result } from "../../../src/kernel/result.ts";
import type { DeliveryProgress, NewDelivery } from "../../../src/ports/store/delivery.ts";
import type { MessageRecord } from "../../../src/ports/store/message.ts";
import type { RunRecord, StepRecord } from "../../../src/ports/store/run.ts";
import type { StoreWrites } from "../../../src/ports/store/store.ts";

/** What one transaction wrote, as seen at the store's door. The model claims each entry; what is left is a surprise. */
export interface TransactionRecord {
  readonly now: number;
  readonly messages: MessageRecord[];
  readonly deliveries: NewDelivery[];
  readonly advances: Advance[];
  readonly runsOpened: RunRecord[];
  readonly runsEnded: (Pick<RunRecord, "outcome"> & { readonly id: string })[];
  readonly steps: StepRecord[];
  readonly events: RecordedEvent[];
  result: Result<unknown, Refusal> | undefined;
}

export interface Advance {
  readonly id: string;
  readonly from: DeliveryStatus;
  readonly to: DeliveryProgress;
}

export function newRecord(now: number): TransactionRecord {
  return {
    now,
    messages: [],
    deliveries: [],
    advances: [],
    runsOpened: [],
    runsEnded: [],
    steps: [],
    events: [],
    result: undefined,
  };
}

/** The same writes, noted in whatever record is current. Transactions happen one after another, so there is one. */
export function observeWrites(writes: StoreWrites, current: () => TransactionRecord): StoreWrites {
  return {
    ...writes,
    messages: {
      ...writes.messages,
      async append(message, key) {
        const seq = await writes.messages.append(message, key);
        current().messages.push({ ...message, seq });
        return seq;
      },
    },
    deliveries: {
      ...writes.deliveries,
      async add(delivery) {
        await writes.deliveries.add(delivery);
        current().deliveries.push(delivery);
      },
      async advance(id, from, to) {
        const moved = await writes.deliveries.advance(id, from, to);
        if (moved) current().advances.push({ id, from: from.status, to });
        return moved;
      },
    },
    runs: {
      ...writes.runs,
      async open(run) {
        await writes.runs.open(run);
        current().runsOpened.push(run);
      },
      async end(id, how) {
        const ended = await writes.runs.end(id, how);
        if (ended) current().runsEnded.push({ id, outcome: how.outcome });
        return ended;
      },
      async checkpoint(step) {
        await writes.runs.checkpoint(step);
        current().steps.push(step);
      },
    },
    async appendEvent(event: DomainEvent, at: number) {
      const recorded = await writes.appendEvent(event, at);
      current().events.push(recorded);
      return recorded;
    },
  };
}
