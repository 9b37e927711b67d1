import { type Lane, LANES, compareLanes, laneRank } from "./lane.ts";

/**
 * Keeps urgent work from starving the rest. Every three preemptions and every five minutes of waiting promote a delivery
 * by one lane, and promotions add up. So after ten minutes, or six preemptions, or three and five minutes, any delivery
 * is as urgent as a direct message; from then on nothing younger goes first and nothing preempts it. What can still be
 * ahead of it is only what is immediate and older, which no longer grows.
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
  /** Wall time since when it could have been taken; for a retry, since its not-before time. */
  readonly waitingSince: number;
  readonly preemptions: number;
  /** Order of acceptance, unique among all deliveries of the agent in all its spaces. */
  readonly sequence: number;
}

/** The one to take: the most urgent by effective lane, then the oldest. Independent of the order of `heads`. */
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
 * Whether a run between two steps must make way: exactly when something due is more urgent than it. `running` is the
 * effective lane at which its delivery was taken: work does not age while it is being done, or a long run could not be
 * interrupted any more.
 */
export function mustYield(running: Lane, due: readonly Waiting[], nowMs: number): boolean {
  return due.some((head) => compareLanes(currentLane(head, nowMs), running) < 0);
}

function currentLane(head: Waiting, nowMs: number): Lane {
  return effectiveLane({ ...head, waitedMs: nowMs - head.waitingSince });
}
