import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "../../../src/domain/schedule/duration.ts";
import { runs } from "../../property.ts";
import { refused, value } from "../../support/result.ts";

describe("parseDuration", () => {
  it.each([
    ["500ms", 500],
    ["30s", 30_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    [" 1h 30m ", 5_400_000],
    ["2d", 172_800_000],
    ["1d2h3m4s5ms", 93_784_005],
    ["1.5h", 5_400_000],
    ["0.5ms", 1],
    ["3650d", 315_360_000_000],
  ])("%s is %i ms", (text, ms) => {
    expect(value(parseDuration(text))).toBe(ms);
  });

  it.each([
    "",
    " ",
    "5",
    "m",
    "5 minutes",
    "5M",
    "-5m",
    "5m5m",
    "30m1h",
    "1..5h",
    ".5h",
    "1e3s",
    "NaNs",
    "Infinityh",
    "0s",
    "0ms",
    "0.4ms",
    "3651d",
    "9".repeat(60) + "d",
    "9".repeat(400) + "s",
    "5m; rm -rf",
    "５m",
  ])("refuses %j and says how to write one", (text) => {
    expect(refused(parseDuration(text))).toMatchObject({ code: "invalid", hint: expect.stringContaining('"5m"') });
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0ms"],
    [-5, "0ms"],
    [999, "999ms"],
    [5_400_000, "1h30m"],
    [86_400_000, "1d"],
    [90_061_001, "1d1h1m1s1ms"],
  ])("%i ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it("is read back to the same number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_650 * 86_400_000 }), (ms) => {
        expect(value(parseDuration(formatDuration(ms)))).toBe(ms);
      }),
      runs(300),
    );
  });
});
