import { type Lane, LANES, compareLanes, laneRank } from "./lane.ts";

/**
 * Prevents starvation. Every three preemptions and every five minutes of waiting promote a delivery by one lane, and
 * promotions add up. After ten minutes, or six preemptions, or five minutes and three preemptions, every delivery is
 * immediate: then nothing newer goes first and nothing preempts it. Only older immediate deliveries are ahead of it, and
 * their number does not grow.
 */
const PREEMPTIONS_PER_PROMOTION = 3;
const WAIT_PER_PROMOTION_MS = 5 * 60_000;

export function effectiveLane(delivery: {
  readonly lane: Lane;
  readonly waitedMs: number;
  readonly preemptions: number;
}): Lane {
  const waited = Math.floor(Math.max(0, delivery.waitedMs) / WAIT_PER_PROMOTION_MS);
  const preempted = Math.floor(delivery.preemptions / PREEMPTIONS_PER_PROMOTION);
  return LANES[Math.max(0, laneRank(delivery.lane) - waited - preempted)] ?? "immediate";
}

export interface Waiting {
  readonly lane: Lane;
  /** Wall time from which it could have been leased; for a retry, its not-before time. */
  readonly waitingSince: number;
  readonly preemptions: number;
  /** Order of acceptance, among the deliveries on disk or among those in memory. */
  readonly sequence: number;
}

/** Returns the delivery to lease next: the most urgent by effective lane, then the oldest, whatever their order. */
export function pickNext<T extends Waiting>(heads: readonly T[], nowMs: number): T | undefined {
  let best: { head: T; lane: Lane } | undefined;
  for (const head of heads) {
    const lane = currentLane(head, nowMs);
    const order = best === undefined ? -1 : compareLanes(lane, best.lane) || head.sequence - best.head.sequence;
    if (order < 0) best = { head, lane };
  }
  return best?.head;
}

/**
 * Whether a run must yield between two steps: when a due delivery is more urgent. `running` is the effective lane at
 * which the run's delivery was leased: a running delivery does not age, or a long run could never be interrupted.
 */
export function mustYield(running: Lane, due: readonly Waiting[], nowMs: number): boolean {
  return due.some((head) => compareLanes(currentLane(head, nowMs), running) < 0);
}

function currentLane(head: Waiting, nowMs: number): Lane {
  return effectiveLane({ ...head, waitedMs: nowMs - head.waitingSince });
}
