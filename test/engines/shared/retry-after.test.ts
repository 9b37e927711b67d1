import { describe, expect, it } from "vitest";
import { readRetryAfter } from "../../../src/engines/shared/retry-after.ts";

const now = Date.UTC(2026, 0, 5, 9, 0, 0);

describe("readRetryAfter", () => {
  it.each([
    ["7", 7_000],
    ["0.5", 500],
    ["34s", 34_000],
    ["Mon, 05 Jan 2026 09:01:30 GMT", 90_000],
    ["Mon, 05 Jan 2026 08:00:00 GMT", 0],
    ["soon", undefined],
    ["-5", undefined],
    ["2026", 2_026_000],
    ["", undefined],
  ])("%j is %j [engine.rate-limits]", (retryAfter, expected) => {
    expect(readRetryAfter({ retryAfter }, now)).toBe(expected);
  });

  it("prefers milliseconds [engine.rate-limits]", () => {
    expect(readRetryAfter({ retryAfter: "2", retryAfterMs: "1250" }, now)).toBe(1_250);
    expect(readRetryAfter({}, now)).toBeUndefined();
  });
});
