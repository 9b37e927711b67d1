import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { createIds } from "../../src/kernel/ids.ts";
import { seededRandom, systemRandom } from "../../src/kernel/random.ts";
import { runs } from "../property.ts";

const START = Date.UTC(2026, 0, 5);

describe("ids [message.ids]", () => {
  it("are the prefix of their kind and 26 characters that cannot be misread", () => {
    const newId = createIds(systemClock, systemRandom);
    for (const prefix of ["msg", "dlv", "run"] as const) {
      expect(newId(prefix)).toMatch(new RegExp(`^${prefix}_[0-9abcdefghjkmnpqrstvwxyz]{26}$`));
    }
  });

  it("are unique and sort in the order of creation, a hundred thousand of them", () => {
    const newId = createIds(systemClock, systemRandom);
    const ids = Array.from({ length: 100_000 }, () => newId("msg"));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? ""))).toBe(true);
  });

  it("keep that order whatever the clock does", () => {
    const jumps = fc.array(
      fc.oneof(fc.constant(0), fc.integer({ min: -4e11, max: 4e11 }), fc.integer({ min: -2, max: 2 })),
    );
    fc.assert(
      fc.property(jumps, fc.integer(), (steps, seed) => {
        let now = START;
        const newId = createIds({ now: () => now }, seededRandom(seed));
        const ids = [newId("msg"), ...steps.map((step) => ((now = Math.max(0, now + step)), newId("msg")))];
        expect(ids).toEqual(ids.toSorted());
        expect(new Set(ids).size).toBe(ids.length);
      }),
      runs(300),
    );
  });

  it("go on to the next millisecond when one is used up", () => {
    // Nobody counts through 2 ** 41 ids here: a number outside the range starts at the very end instead.
    const newId = createIds({ now: () => START }, () => 2 - 2 ** -41);
    const ids = [newId("msg"), newId("msg"), newId("msg")];
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids.map((id) => id.slice(0, 14))).size).toBe(3);
  });

  it("of two factories in the same millisecond differ", () => {
    const clock = { now: () => START };
    const [a, b] = [createIds(clock, systemRandom), createIds(clock, systemRandom)];
    const ids = Array.from({ length: 1_000 }, () => [a("msg"), b("msg")]).flat();
    expect(new Set(ids).size).toBe(ids.length);
  });
});
