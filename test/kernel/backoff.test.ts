import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fullJitter } from "../../src/kernel/backoff.ts";
import { runs } from "../property.ts";

describe("fullJitter", () => {
  it("draws from a window that doubles up to the cap", () => {
    const windows = [0, 1, 2, 3, 4, 5000].map((attempt) =>
      fullJitter({ attempt, baseMs: 100, capMs: 1000, random: () => 0.5 }),
    );
    expect(windows).toEqual([50, 100, 200, 400, 500, 500]);
  });

  it("is a whole number of milliseconds within the window", () => {
    const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.nat({ max: 2000 }),
        fc.nat({ max: 10_000 }),
        fc.nat({ max: 1_000_000 }),
        draw,
        (attempt, baseMs, capMs, d) => {
          const wait = fullJitter({ attempt, baseMs, capMs, random: () => d });
          expect(Number.isSafeInteger(wait)).toBe(true);
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(wait).toBeLessThanOrEqual(Math.min(capMs, baseMs === 0 ? 0 : baseMs * 2 ** attempt));
        },
      ),
      runs(300),
    );
  });
});
