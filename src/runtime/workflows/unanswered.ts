import type { DeliveryRecord, DeliveryWithMessage } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** A delivery without an answer, and why. */
export interface Unanswered {
  readonly id: string;
  readonly agent: string;
  readonly reason: string;
}

const MOST = 500;

/** Returns the dead letters of an idle space since a time, and its open deliveries, which no loop takes. Oldest first. */
export async function unansweredIn(store: StoreReads, space: string, since: number): Promise<readonly Unanswered[]> {
  const dead = await store.deliveries.dead({ space, limit: MOST });
  const open = await store.deliveries.open({ space, limit: MOST });
  return [...dead.filter(({ delivery }) => delivery.enqueuedAt >= since), ...open]
    .toSorted(byAge)
    .map(({ delivery }) => unanswered(delivery));
}

export function unanswered({ id, agent, state }: DeliveryRecord): Unanswered {
  return { id, agent, reason: state.status === "dead" ? state.reason : `Nobody took it: ${agent} was stopped.` };
}

function byAge(a: DeliveryWithMessage, b: DeliveryWithMessage): number {
  return a.delivery.seq - b.delivery.seq;
}
