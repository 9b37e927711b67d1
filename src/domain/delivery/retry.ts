import { fullJitter } from "../../kernel/backoff.ts";
import type { Random } from "../../kernel/random.ts";

/**
 * Decides what happens to a delivery whose run failed. Transient: retried after an exponential backoff with jitter, until
 * the attempts are used up. Crash: retried once, because a message that crashes its engine twice would always do so.
 * Permanent: dead at once. Quota: parked until the reset, without using an attempt. It is parked for at most six hours,
 * because a person may raise the quota meanwhile, and for at least half a minute, because a reset time in the past would
 * cause a busy loop. Scarcity: this machine had no descriptor, process or memory left; the message is not to blame, so it
 * waits some seconds without using an attempt.
 */
export type ErrorClass = "transient" | "quota" | "scarcity" | "permanent" | "crash";

const MAX_ATTEMPTS = 5;
const MAX_CRASHES = 2;
const BACKOFF_BASE_MS = 2_000;
const BACKOFF_CAP_MS = 5 * 60_000;
const RETRY_AFTER_CAP_MS = 60 * 60_000;
const PARK_DEFAULT_MS = 15 * 60_000;
const PARK_MIN_MS = 30_000;
const SCARCITY_MIN_MS = 2_000;
const SCARCITY_SPREAD_MS = 8_000;
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
  /** Crashes among them. Default: all of them. */
  readonly crashes?: number;
  /** The wait that the provider requested. The backoff is never shorter, up to an hour. */
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
  if (failure.class === "scarcity") {
    return {
      action: "park",
      until: failure.nowMs + SCARCITY_MIN_MS + Math.floor(failure.random() * SCARCITY_SPREAD_MS),
    };
  }

  const attempts = failure.attempts + 1;
  const crashes = (failure.crashes ?? failure.attempts) + 1;
  if (failure.class === "crash" && crashes >= MAX_CRASHES) return { action: "dead", reason: "crashed" };
  if (attempts >= (failure.maxAttempts ?? MAX_ATTEMPTS)) return { action: "dead", reason: "exhausted" };

  // Jitter is added to the requested wait: otherwise all clients with the same wait would return at the same time.
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

/** NaN, the result of an invalid header, becomes the lower bound. */
function clamp(value: number, low: number, high: number): number {
  return value > low ? Math.min(value, high) : low;
}
