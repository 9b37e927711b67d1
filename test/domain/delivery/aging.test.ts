import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Waiting, effectiveLane, mustYield, pickNext } from "../../../src/domain/delivery/aging.ts";
import { LANES, type Lane, compareLanes, laneRank } from "../../../src/domain/delivery/lane.ts";
import { runs } from "../../property.ts";

const PREEMPTIONS_PER_PROMOTION = 3;
const WAIT_PER_PROMOTION_MS = 5 * 60_000;

const MINUTE = 60_000;
const waiting = (lane: Lane, sequence: number, more: Partial<Waiting> = {}): Waiting => ({
  lane,
  sequence,
  waitingSince: 0,
  preemptions: 0,
  ...more,
});

describe("lanes", () => {
  it("are ordered, with the numbers that are stored [lane.order]", () => {
    expect(LANES.map(laneRank)).toEqual([0, 1, 2]);
    expect(["background", "immediate", "normal"].toSorted((a, b) => compareLanes(a as Lane, b as Lane))).toEqual([
      ...LANES,
    ]);
  });
});

describe("effectiveLane", () => {
  it.each<[Lane, number, number, Lane]>([
    ["background", 0, 0, "background"],
    ["background", 0, 2, "background"],
    ["background", 0, 3, "normal"],
    ["background", 0, 5, "normal"],
    ["background", 0, 6, "immediate"],
    ["normal", 0, 3, "immediate"],
    ["normal", 0, 2, "normal"],
  ])("%s after %i ms and %i preemptions is %s [lane.age-preempted]", (lane, waitedMs, preemptions, effective) => {
    expect(effectiveLane({ lane, waitedMs, preemptions })).toBe(effective);
  });

  it.each<[Lane, number, number, Lane]>([
    ["background", 5 * MINUTE - 1, 0, "background"],
    ["background", 5 * MINUTE, 0, "normal"],
    ["background", 10 * MINUTE - 1, 0, "normal"],
    ["background", 10 * MINUTE, 0, "immediate"],
    ["background", 5 * MINUTE, 3, "immediate"],
    ["normal", 5 * MINUTE, 0, "immediate"],
    ["immediate", 500 * MINUTE, 100, "immediate"],
    ["normal", -60 * MINUTE, 0, "normal"],
    ["normal", Infinity, 0, "immediate"],
  ])("%s after %i ms and %i preemptions is %s [lane.age-waiting]", (lane, waitedMs, preemptions, effective) => {
    expect(effectiveLane({ lane, waitedMs, preemptions })).toBe(effective);
  });

  it("only ever rises, and is immediate within the bound [lane.age-bound]", () => {
    const lane = fc.constantFrom(...LANES);
    const ms = fc.integer({ min: 0, max: 20 * MINUTE });
    const count = fc.nat({ max: 10 });
    fc.assert(
      fc.property(lane, ms, count, ms, count, (from, waitedMs, preemptions, moreMs, more) => {
        const now = effectiveLane({ lane: from, waitedMs, preemptions });
        const later = effectiveLane({ lane: from, waitedMs: waitedMs + moreMs, preemptions: preemptions + more });
        expect(compareLanes(now, from)).toBeLessThanOrEqual(0);
        expect(compareLanes(later, now)).toBeLessThanOrEqual(0);
        const bound = laneRank(from);
        const due = waitedMs >= bound * WAIT_PER_PROMOTION_MS || preemptions >= bound * PREEMPTIONS_PER_PROMOTION;
        expect(due && now !== "immediate").toBe(false);
      }),
      runs(300),
    );
  });
});

describe("pickNext", () => {
  it("takes the most urgent lane first [lane.order]", () => {
    const heads = [waiting("background", 1), waiting("immediate", 3), waiting("normal", 2)];
    expect(pickNext(heads, 0)?.lane).toBe("immediate");
    expect(pickNext(heads.slice(0, 1), 0)?.lane).toBe("background");
    expect(pickNext([], 0)).toBeUndefined();
  });

  it("takes the oldest of a lane first, whatever the clock says [lane.fifo]", () => {
    const heads = [waiting("normal", 7, { waitingSince: 0 }), waiting("normal", 4, { waitingSince: 9 })];
    expect(pickNext(heads, 10)?.sequence).toBe(4);
    expect(pickNext(heads, -1_000_000)?.sequence).toBe(4);
  });

  it("lets an aged delivery go before what is younger [lane.age-waiting] [lane.age-preempted]", () => {
    const dm = waiting("immediate", 9, { waitingSince: 10 * MINUTE });
    expect(pickNext([dm, waiting("background", 1)], 10 * MINUTE)?.sequence).toBe(1);
    expect(pickNext([dm, waiting("background", 1)], 10 * MINUTE - 1)?.sequence).toBe(9);
    expect(
      pickNext([dm, waiting("background", 1, { waitingSince: 10 * MINUTE, preemptions: 6 })], 10 * MINUTE)?.sequence,
    ).toBe(1);
  });

  it("is the first of one total order, however the heads are given", () => {
    const head = fc.record({
      lane: fc.constantFrom(...LANES),
      waitingSince: fc.integer({ min: -20 * MINUTE, max: 5 * MINUTE }),
      preemptions: fc.nat({ max: 8 }),
      sequence: fc.nat(),
    });
    const heads = fc.uniqueArray(head, { selector: ({ sequence }) => sequence, minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(heads, (all) => {
        const rest = all.toReversed();
        const order: Waiting[] = [];
        for (let next = pickNext(rest, 0); next !== undefined; next = pickNext(rest, 0)) {
          order.push(next);
          rest.splice(rest.indexOf(next), 1);
        }
        expect(order).toHaveLength(all.length);
        expect(pickNext(all, 0)).toBe(order[0]);
        const ranks = order.map((each) => laneRank(effectiveLane({ ...each, waitedMs: -each.waitingSince })));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
      runs(300),
    );
  });

  it("bounds how long endless direct messages hold back a background delivery [lane.age-bound]", () => {
    const background = waiting("background", 0);
    let now = 0;
    let turns = 0;
    const turnMs = 10_000;
    while (pickNext([background, waiting("immediate", turns + 1, { waitingSince: now })], now) !== background) {
      turns += 1;
      now += turnMs;
    }
    expect(turns).toBe((2 * WAIT_PER_PROMOTION_MS) / turnMs);
  });
});

describe("mustYield", () => {
  it.each<[Lane, Lane, boolean]>([
    ["background", "normal", true],
    ["background", "immediate", true],
    ["normal", "immediate", true],
    ["background", "background", false],
    ["normal", "normal", false],
    ["immediate", "immediate", false],
    ["normal", "background", false],
    ["immediate", "normal", false],
  ])("a %s run with a due %s delivery: %s [lane.preempt-decision]", (running, due, yields) => {
    expect(mustYield(running, [waiting(due, 1)], 0)).toBe(yields);
  });

  it("also makes way for what has aged, and for nothing at all [lane.preempt-decision]", () => {
    expect(mustYield("normal", [waiting("background", 1)], 5 * MINUTE)).toBe(false);
    expect(mustYield("normal", [waiting("background", 1)], 10 * MINUTE)).toBe(true);
    expect(mustYield("background", [], 0)).toBe(false);
    expect(mustYield("background", [waiting("background", 1), waiting("normal", 2)], 0)).toBe(true);
  });
});
