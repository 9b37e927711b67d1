import { effectiveLane, type Waiting } from "./aging.ts";
import type { Lane } from "./lane.ts";
import type { DeliveryState } from "./state.ts";

interface Delivery {
  readonly seq: number;
  readonly lane: Lane;
  readonly enqueuedAt: number;
  readonly state: DeliveryState;
}

/** Returns the delivery as `pickNext` and `mustYield` see it: since when it could have been leased. */
export function waiting<T extends Delivery>(delivery: T): Waiting & { readonly delivery: T } {
  const { state, lane, enqueuedAt, seq } = delivery;
  const notBefore = state.status === "pending" ? (state.notBefore ?? 0) : 0;
  return { lane, preemptions: state.preempted, waitingSince: Math.max(enqueuedAt, notBefore), sequence: seq, delivery };
}

/** Returns how urgent a delivery is when it is leased at `now`. */
export function laneAt(delivery: Delivery, now: number): Lane {
  const { lane, preemptions, waitingSince } = waiting(delivery);
  return effectiveLane({ lane, preemptions, waitedMs: now - waitingSince });
}
