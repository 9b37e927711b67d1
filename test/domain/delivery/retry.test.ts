import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyFailure } from "../../../src/domain/delivery/classify.ts";
import { type FailedAttempt, decideRetry } from "../../../src/domain/delivery/retry.ts";
import { seededRandom } from "../../../src/kernel/random.ts";
import { runs } from "../../property.ts";

const BACKOFF_BASE_MS = 2_000;
const BACKOFF_CAP_MS = 5 * 60_000;
const MAX_ATTEMPTS = 5;
const PARK_DEFAULT_MS = 15 * 60_000;
const PARK_MAX_MS = 6 * 60 * 60_000;
const PARK_MIN_MS = 30_000;
const RETRY_AFTER_CAP_MS = 60 * 60_000;

const NOW = 1_000_000;
const last = (): number => 0.999_999_999;
const failed = (more: Partial<FailedAttempt>): FailedAttempt => ({
  class: "transient",
  attempts: 0,
  nowMs: NOW,
  random: () => 0,
  ...more,
});
const waitOf = (more: Partial<FailedAttempt>): number => {
  const decision = decideRetry(failed(more));
  return decision.action === "retry" ? decision.notBefore - NOW : expect.unreachable();
};

describe("decideRetry", () => {
  it("waits longer after each transient failure, up to a cap [retry.transient-backoff]", () => {
    const longest = [0, 1, 2, 3].map((attempts) => waitOf({ attempts, random: last }));
    expect(longest).toEqual([0, 1, 2, 3].map((attempts) => BACKOFF_BASE_MS * 2 ** attempts - 1));
    expect(waitOf({ attempts: 40, maxAttempts: 99, random: last })).toBe(BACKOFF_CAP_MS - 1);
    expect(waitOf({ attempts: 5000, maxAttempts: 9999, random: last })).toBe(BACKOFF_CAP_MS - 1);
  });

  it("draws the wait from the whole window, the same for the same seed [retry.jitter]", () => {
    const draws = (seed: number): number[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 200 }, () => waitOf({ attempts: 3, random }));
    };
    const waits = draws(7);
    expect(draws(7)).toEqual(waits);
    expect(draws(8)).not.toEqual(waits);
    expect(Math.min(...waits)).toBeLessThan(BACKOFF_BASE_MS);
    expect(Math.max(...waits)).toBeGreaterThan(BACKOFF_BASE_MS * 7);
  });

  it("waits at least as long as the provider asks, within reason [retry.after]", () => {
    expect(waitOf({ retryAfterMs: 30_000 })).toBe(30_000);
    expect(waitOf({ retryAfterMs: 30_000, random: last })).toBe(30_000 + BACKOFF_BASE_MS - 1);
    expect(waitOf({ retryAfterMs: 365 * 86_400_000 })).toBe(RETRY_AFTER_CAP_MS);
    for (const nonsense of [-5, Number.NaN, -Infinity]) expect(waitOf({ retryAfterMs: nonsense })).toBe(0);
  });

  it("gives up when the attempts are used up [retry.exhausted]", () => {
    const actions = Array.from({ length: 7 }, (_, attempts) => decideRetry(failed({ attempts })).action);
    expect(actions.indexOf("dead")).toBe(MAX_ATTEMPTS - 1);
    expect(actions.slice(MAX_ATTEMPTS - 1)).toEqual(["dead", "dead", "dead"]);
    expect(decideRetry(failed({ attempts: 4 }))).toEqual({ action: "dead", reason: "exhausted" });
    expect(decideRetry(failed({ attempts: 0, maxAttempts: 1 }))).toEqual({ action: "dead", reason: "exhausted" });
    expect(decideRetry(failed({ attempts: 3 }))).toMatchObject({ action: "retry", attempts: 4 });
  });

  it("tries a crash once more [retry.crash-once]", () => {
    expect(decideRetry(failed({ class: "crash" }))).toMatchObject({ action: "retry", attempts: 1 });
    expect(decideRetry(failed({ class: "crash", attempts: 1 }))).toEqual({ action: "dead", reason: "crashed" });
    expect(decideRetry(failed({ class: "crash", attempts: 2, crashes: 0 }))).toMatchObject({ action: "retry" });
    expect(decideRetry(failed({ class: "crash", attempts: 2, crashes: 1 }))).toEqual({
      action: "dead",
      reason: "crashed",
    });
    expect(decideRetry(failed({ class: "crash", attempts: 4, crashes: 0 }))).toEqual({
      action: "dead",
      reason: "exhausted",
    });
  });

  it("does not retry what cannot get better [retry.permanent]", () => {
    expect(decideRetry(failed({ class: "permanent", retryAfterMs: 5 }))).toEqual({
      action: "dead",
      reason: "permanent",
    });
  });

  it.each([
    [{ resetAtMs: NOW + 3_600_000 }, 3_600_000],
    [{ resetAtMs: NOW + 3_600_000, retryAfterMs: 60_000 }, 3_600_000],
    [{ retryAfterMs: 60_000 }, 60_000],
    [{}, PARK_DEFAULT_MS],
    [{ resetAtMs: NOW - 1 }, PARK_MIN_MS],
    [{ resetAtMs: Number.NaN }, PARK_MIN_MS],
    [{ resetAtMs: NOW + 30 * 86_400_000 }, PARK_MAX_MS],
  ])("parks a used-up quota with %j for %i ms, at no cost [retry.quota-parks]", (signs, wait) => {
    for (const attempts of [0, 4, 1000]) {
      expect(decideRetry(failed({ class: "quota", attempts, ...signs }))).toEqual({
        action: "park",
        until: NOW + wait,
      });
    }
  });

  it("never waits into the past nor beyond its caps, and always comes to an end", () => {
    const anyMs = fc.option(fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()), { nil: undefined });
    const anyFailure = fc.record({
      class: fc.constantFrom("transient" as const, "quota" as const, "permanent" as const, "crash" as const),
      attempts: fc.nat({ max: 20 }),
      retryAfterMs: anyMs,
      resetAtMs: anyMs,
      draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      maxAttempts: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(anyFailure, ({ draw, retryAfterMs, resetAtMs, ...rest }) => {
        const decision = decideRetry({
          ...rest,
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
          ...(resetAtMs === undefined ? {} : { resetAtMs }),
          nowMs: NOW,
          random: () => draw,
        });
        expect(decision.action === "park").toBe(rest.class === "quota");
        const [wait, least, most] =
          decision.action === "retry"
            ? [decision.notBefore - NOW, 0, RETRY_AFTER_CAP_MS + BACKOFF_CAP_MS]
            : decision.action === "park"
              ? [decision.until - NOW, PARK_MIN_MS, PARK_MAX_MS]
              : [0, 0, 0];
        expect(wait).toBeGreaterThanOrEqual(least);
        expect(wait).toBeLessThanOrEqual(most);
        const attempts = decision.action === "retry" ? decision.attempts : rest.attempts + 1;
        expect(attempts).toBe(rest.attempts + 1);
        expect(decision.action === "retry" && attempts >= rest.maxAttempts).toBe(false);
      }),
      runs(300),
    );
  });
});

describe("classifyFailure", () => {
  it.each([
    [{ status: 429 }, "transient"],
    [{ status: 408 }, "transient"],
    [{ status: 500 }, "transient"],
    [{ status: 503 }, "transient"],
    [{ status: 529 }, "transient"],
    [{ code: "ECONNRESET" }, "transient"],
    [{ code: "ETIMEDOUT" }, "transient"],
    [{ code: "EMFILE" }, "scarcity"],
    [{ code: "never heard of" }, "transient"],
    [{ status: 200 }, "transient"],
    [{}, "transient"],
    [{ status: 400 }, "permanent"],
    [{ status: 401 }, "permanent"],
    [{ status: 403 }, "permanent"],
    [{ status: 404 }, "permanent"],
    [{ code: "ENOENT" }, "permanent"],
    [{ code: "EACCES" }, "permanent"],
    [{ code: "E2BIG" }, "permanent"],
    [{ status: 429, quotaExhausted: true }, "quota"],
    [{ status: 402 }, "quota"],
    [{ crashed: true }, "crash"],
    [{ crashed: true, status: 401, quotaExhausted: true }, "crash"],
  ])("%j is %s [retry.classify]", (signs, expected) => {
    expect(classifyFailure(signs)).toBe(expected);
  });
});
