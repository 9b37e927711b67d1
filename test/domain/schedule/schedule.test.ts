import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fireDecision, nextFire, parseWakeup, type Wakeup } from "../../../src/domain/schedule/schedule.ts";
import { runs } from "../../property.ts";
import { refused, value } from "../../support/result.ts";

const at = (iso: string): number => Date.parse(iso);
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
const cron = (expression: string, timeZone = "UTC"): Wakeup => value(parseWakeup(expression, timeZone));
const every = (text: string): Wakeup => value(parseWakeup(text));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = at("2026-03-10T12:00:00Z");

describe("parseWakeup", () => {
  it.each<[string, Wakeup]>([
    ["30s", { kind: "interval", everyMs: 30_000 }],
    ["1h 30m", { kind: "interval", everyMs: 5_400_000 }],
    ["5s", { kind: "interval", everyMs: 5_000 }],
    ["0 9 * * 1-5", { kind: "cron", expression: "0 9 * * 1-5", timeZone: null }],
    ["  0   9 * *  MON-FRI ", { kind: "cron", expression: "0 9 * * MON-FRI", timeZone: null }],
    ["*/5 * * * * *", { kind: "cron", expression: "*/5 * * * * *", timeZone: null }],
    ["@daily", { kind: "cron", expression: "@daily", timeZone: null }],
    ["@hourly", { kind: "cron", expression: "@hourly", timeZone: null }],
    ["0 0 29 2 *", { kind: "cron", expression: "0 0 29 2 *", timeZone: null }],
  ])("reads %j [schedule.interval]", (text, expected) => {
    expect(value(parseWakeup(text))).toEqual(expected);
  });

  it.each([
    ["", /neither an interval nor a cron/],
    ["30", /neither an interval nor a cron/],
    ["soon", /neither an interval nor a cron/],
    ["4s", /too often/],
    ["999ms", /too often/],
    ["* * * * * *", /too often/],
    ["1,58 * * * * *", /too often/],
    ["0-4 0 * * * *", /too often/],
    ["0 9 * *", /not a cron expression/],
    ["0 0 9 * * 1 2026", /not a cron expression/],
    ["61 * * * *", /not a cron expression: .*61/],
    ["0 0 30 2 *", /never occurs/],
    ["@reboot", /not a cron expression/],
    ["@sometimes", /not a cron expression/],
    ["2026-01-01 00:00", /not a cron expression/],
  ])("refuses %j with examples [schedule.interval]", (text, message) => {
    const refusal = refused(parseWakeup(text));
    expect(refusal).toMatchObject({ code: "invalid", message: expect.stringMatching(message) });
    expect(refusal.hint).toBeTruthy();
  });

  it("refuses a time zone that does not exist and suggests one that does [schedule.time-zone]", () => {
    const refusal = refused(parseWakeup("@daily", "Europe/Berln"));
    expect(refusal).toMatchObject({
      message: '"Europe/Berln" is not a time zone.',
      hint: expect.stringContaining("Europe/Berlin"),
    });
    expect(refused(parseWakeup("@daily", "")).message).toContain("is not a time zone");
  });

  it("explains both forms to who used neither", () => {
    expect(refused(parseWakeup("soon")).hint).toContain('"5m"');
    expect(refused(parseWakeup("soon")).hint).toContain('"0 9 * * 1-5"');
  });

  it("refuses a time zone that would have no effect", () => {
    expect(refused(parseWakeup("5m", "Europe/Berlin")).message).toContain("no use for the time zone");
  });
});

describe("nextFire of an interval", () => {
  it("counts from now, from the last run or from the last activity, whichever is later", () => {
    const wakeup = every("5m");
    expect(nextFire(wakeup, { nowMs: NOW })).toBe(NOW + 5 * MINUTE);
    expect(nextFire(wakeup, { nowMs: NOW, lastFiredMs: NOW - MINUTE })).toBe(NOW + 4 * MINUTE);
    expect(nextFire(wakeup, { nowMs: NOW, lastFiredMs: NOW - 20 * MINUTE })).toBe(NOW - 15 * MINUTE);
  });

  it("starts again with every activity [schedule.interval-activity]", () => {
    const history = { nowMs: NOW, lastFiredMs: NOW - 4 * MINUTE, lastActivityMs: NOW - MINUTE };
    expect(nextFire(every("5m"), history)).toBe(NOW + 4 * MINUTE);
  });

  it("waits no longer than the interval after the clock was set back [schedule.clock-jump]", () => {
    const history = { nowMs: NOW, lastFiredMs: NOW + HOUR, lastActivityMs: NOW + 10 * 365 * DAY };
    expect(nextFire(every("5m"), history)).toBe(NOW + 5 * MINUTE);
  });
});

describe("nextFire of a cron expression", () => {
  it("follows the calendar and ignores activity [schedule.cron]", () => {
    const friday = at("2026-03-13T09:00:00Z");
    const wakeup = cron("0 9 * * 1-5");
    expect(iso(nextFire(wakeup, { nowMs: friday - 1 }))).toBe("2026-03-13T09:00:00.000Z");
    expect(iso(nextFire(wakeup, { nowMs: friday, lastActivityMs: friday }))).toBe("2026-03-16T09:00:00.000Z");
  });

  it.each([
    // Clocks go forward in Berlin on 29 March 2026 at 01:00 UTC and back on 25 October at 01:00 UTC.
    ["Europe/Berlin", "0 9 * * *", "2026-03-28T08:00:00Z", ["2026-03-29T07:00", "2026-03-30T07:00"]],
    ["Europe/Berlin", "30 2 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:00", "2026-03-30T00:30"]],
    ["Europe/Berlin", "30 2 * * *", "2026-10-24T12:00:00Z", ["2026-10-25T00:30", "2026-10-26T01:30"]],
    ["Europe/Berlin", "@daily", "2026-10-24T12:00:00Z", ["2026-10-24T22:00", "2026-10-25T23:00"]],
    // In New York on 8 March 2026 at 07:00 UTC and on 1 November at 06:00 UTC.
    ["America/New_York", "30 2 * * *", "2026-03-07T12:00:00Z", ["2026-03-08T07:00", "2026-03-09T06:30"]],
    ["America/New_York", "30 1 * * *", "2026-10-31T12:00:00Z", ["2026-11-01T05:30", "2026-11-02T06:30"]],
    ["America/New_York", "0 9 * * *", "2026-03-07T15:00:00Z", ["2026-03-08T13:00", "2026-03-09T13:00"]],
  ])(
    "in %s, %s fires once a day through the change of clocks after %s [schedule.time-zone]",
    (zone, text, from, expected) => {
      const wakeup = cron(text, zone);
      const fired: (string | null)[] = [];
      let now = at(from);
      for (let run = 0; run < expected.length; run += 1) {
        const next = nextFire(wakeup, { nowMs: now, ...(run === 0 ? {} : { lastFiredMs: now }) });
        fired.push(iso(next));
        now = next ?? Number.NaN;
      }
      expect(fired).toEqual(expected.map((time) => `${time}:00.000Z`));
    },
  );

  it("is due once after a long sleep, then at the next occurrence [schedule.missed-once]", () => {
    const wakeup = cron("0 * * * *");
    const slept = { nowMs: NOW + 8 * HOUR, lastFiredMs: NOW };
    const due = nextFire(wakeup, slept);
    expect(due).toBe(NOW + HOUR);
    expect(nextFire(wakeup, { nowMs: slept.nowMs, lastFiredMs: slept.nowMs })).toBe(NOW + 9 * HOUR);
  });

  it("does not repeat an occurrence after the clock was set back an hour [schedule.clock-jump]", () => {
    expect(nextFire(cron("0 * * * *"), { nowMs: NOW - HOUR, lastFiredMs: NOW })).toBe(NOW + HOUR);
  });

  it("is not stopped by a run the clock of which was years ahead [schedule.clock-jump]", () => {
    expect(nextFire(cron("0 * * * *"), { nowMs: NOW, lastFiredMs: NOW + 3_650 * DAY })).toBe(NOW + HOUR);
  });
});

describe("fireDecision", () => {
  it("fires at its time and not before", () => {
    const wakeup = cron("0 * * * *");
    expect(fireDecision({ wakeup, nextAt: NOW, nowMs: NOW - 1 })).toEqual({ fire: false, next: NOW });
    expect(fireDecision({ wakeup, nextAt: NOW, nowMs: NOW })).toEqual({ fire: true, next: NOW + HOUR });
  });

  it.each<[string, Wakeup, number]>([
    ["cron", cron("0 * * * *"), NOW + 9 * HOUR],
    ["interval", every("1h"), NOW + 9 * HOUR],
  ])("fires once for eight hours of sleep: %s [schedule.missed-once]", (_, wakeup, expected) => {
    const woken = fireDecision({ wakeup, nextAt: NOW, nowMs: NOW + 8 * HOUR });
    expect(woken).toEqual({ fire: true, next: expected });
    expect(fireDecision({ wakeup, nextAt: woken.next, nowMs: NOW + 8 * HOUR })).toEqual({
      fire: false,
      next: expected,
    });
  });

  it("keeps its time when the clock goes back an hour [schedule.clock-jump]", () => {
    expect(fireDecision({ wakeup: cron("0 * * * *"), nextAt: NOW + HOUR, nowMs: NOW - HOUR })).toEqual({
      fire: false,
      next: NOW + HOUR,
    });
  });

  it("recovers from a clock that was ten years ahead, and gives a lost time back [schedule.clock-jump]", () => {
    const stranded = NOW + 3_650 * DAY;
    expect(fireDecision({ wakeup: cron("0 * * * *"), nextAt: stranded, nowMs: NOW }).next).toBe(NOW + HOUR);
    expect(fireDecision({ wakeup: every("5m"), nextAt: stranded, nowMs: NOW }).next).toBe(NOW + 5 * MINUTE);
    expect(fireDecision({ wakeup: every("5m"), nextAt: null, nowMs: NOW })).toEqual({
      fire: false,
      next: NOW + 5 * MINUTE,
    });
    expect(fireDecision({ wakeup: cron("0 * * * *"), nextAt: null, nowMs: NOW })).toEqual({
      fire: false,
      next: NOW + HOUR,
    });
  });

  it("believes a time far ahead when the schedule is that rare", () => {
    const nextYear = at("2027-01-01T00:00:00Z");
    expect(fireDecision({ wakeup: cron("@yearly"), nextAt: nextYear, nowMs: NOW })).toEqual({
      fire: false,
      next: nextYear,
    });
  });

  it("fires at most once per occurrence, whatever the clock does within a day [schedule.clock-jump]", () => {
    const wakeups = [
      cron("*/10 * * * *"),
      cron("30 2 * * *", "Europe/Berlin"),
      cron("0 9 * * 1-5", "America/New_York"),
    ];
    const start = at("2026-10-24T20:00:00Z");
    const jump = fc.integer({ min: -3 * HOUR, max: 8 * HOUR });
    fc.assert(
      fc.property(fc.constantFrom(...wakeups), fc.array(jump, { maxLength: 30 }), (wakeup, jumps) => {
        let nowMs = start;
        let nextAt = nextFire(wakeup, { nowMs });
        const occurrences: number[] = [];
        for (const ms of jumps) {
          nowMs = Math.max(nowMs + ms, Math.max(start, ...occurrences) - DAY + 1);
          const decision = fireDecision({ wakeup, nextAt, nowMs });
          if (decision.fire) occurrences.push(nextAt ?? Number.NaN);
          expect(decision.next).toBeGreaterThan(nowMs);
          nextAt = decision.next;
        }
        expect(new Set(occurrences).size).toBe(occurrences.length);
        expect(occurrences).toEqual(occurrences.toSorted((a, b) => a - b));
      }),
      runs(150),
    );
  });
});
