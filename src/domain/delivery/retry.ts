import { fullJitter } from "../../kernel/backoff.ts";
import type { Random } from "../../kernel/random.ts";

/**
 * What becomes of a delivery whose run failed. Transient failures are tried again after a jittered, growing wait, until
 * the attempts are used up. A crash is tried once more: a message that kills its engine twice would kill it forever.
 * A permanent failure cannot get better and dies at once. A used-up quota is nobody's fault: the delivery waits for the
 * reset at no cost, any number of times, but never longer than six hours without looking, because a person may have
 * raised the quota meanwhile, and never shorter than half a minute, because a reset time that is always in the past
 * would make a busy loop of it.
 */
export type ErrorClass = "transient" | "quota" | "permanent" | "crash";

const MAX_ATTEMPTS = 5;
const MAX_CRASHES = 2;
const BACKOFF_BASE_MS = 2_000;
const BACKOFF_CAP_MS = 5 * 60_000;
const RETRY_AFTER_CAP_MS = 60 * 60_000;
const PARK_DEFAULT_MS = 15 * 60_000;
const PARK_MIN_MS = 30_000;
const PARK_MAX_MS = 6 * 60 * 60_000;

export type DeadReason = "permanent" | "crashed" | "exhausted";

export type RetryDecision =
  /** `attempts` counts the failure that was just decided on. */
  | { readonly action: "retry"; readonly notBefore: number; readonly attempts: number }
  | { readonly action: "park"; readonly until: number }
  | { readonly action: "dead"; readonly reason: DeadReason };

export interface FailedAttempt {
  readonly class: ErrorClass;
  /** Attempts charged before this one. */
  readonly attempts: number;
  /** Crashes among them; taken to be all of them if not known. */
  readonly crashes?: number;
  /** What the other side asked for; a wait is never shorter, up to an hour. */
  readonly retryAfterMs?: number;
  /** Wall time at which the quota is renewed. */
  readonly resetAtMs?: number;
  readonly nowMs: number;
  readonly random: Random;
  readonly maxAttempts?: number;
}

export function decideRetry(failure: FailedAttempt): RetryDecision {
  if (failure.class === "permanent") return { action: "dead", reason: "permanent" };
  if (failure.class === "quota") return { action: "park", until: parkUntil(failure) };

  const attempts = failure.attempts + 1;
  const crashes = (failure.crashes ?? failure.attempts) + 1;
  if (failure.class === "crash" && crashes >= MAX_CRASHES) return { action: "dead", reason: "crashed" };
  if (attempts >= (failure.maxAttempts ?? MAX_ATTEMPTS)) return { action: "dead", reason: "exhausted" };

  // On top of the wait asked for, not instead of it: else everybody who was told the same time returns at that time.
  const floor = clamp(failure.retryAfterMs ?? 0, 0, RETRY_AFTER_CAP_MS);
  const jitter = fullJitter({
    attempt: failure.attempts,
    baseMs: BACKOFF_BASE_MS,
    capMs: BACKOFF_CAP_MS,
    random: failure.random,
  });
  return { action: "retry", notBefore: failure.nowMs + floor + jitter, attempts };
}

function parkUntil({ resetAtMs, retryAfterMs, nowMs }: FailedAttempt): number {
  const wait = resetAtMs === undefined ? (retryAfterMs ?? PARK_DEFAULT_MS) : resetAtMs - nowMs;
  return nowMs + clamp(wait, PARK_MIN_MS, PARK_MAX_MS);
}

/** NaN, which a badly parsed header becomes, counts as the lower bound. */
function clamp(value: number, low: number, high: number): number {
  return value > low ? Math.min(value, high) : low;
}
