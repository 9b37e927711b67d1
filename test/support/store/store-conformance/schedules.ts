import { expect } from "vitest";
import type { ScheduleRecord } from "../../../../src/ports/store/schedule.ts";
import type { StoreCase } from "../store-conformance.ts";
import { T0, write } from "../store-records.ts";

export const scheduleCases: readonly StoreCase[] = [
  {
    name: "a target has one schedule: setting replaces it, clearing removes it",
    run: async (open) => {
      await using store = await open();
      const first = schedule("alice", { lastFiredAt: T0, prompt: "look around" });
      const second = schedule("alice", {
        id: "sch_2",
        wakeup: { kind: "cron", expression: "0 9 * * *", timeZone: "UTC" },
      });
      const find = () => store.read((reads) => reads.schedules.byTarget("alice"));
      expect(await find()).toBeUndefined();
      await write(store, ({ schedules }) => schedules.set(first));
      expect(await find()).toEqual(first);
      await write(store, async ({ schedules }) => {
        await schedules.set(second);
        await schedules.set(schedule("@review:main"));
      });
      expect(await find()).toEqual(second);
      expect(await store.read(async (reads) => (await reads.schedules.list()).map(({ target }) => target))).toEqual([
        "@review:main",
        "alice",
      ]);
      expect(await write(store, ({ schedules }) => schedules.clear("alice"))).toBe(true);
      expect(await write(store, ({ schedules }) => schedules.clear("alice"))).toBe(false);
      expect(await find()).toBeUndefined();
    },
  },
  {
    name: "what is due is what has come, the most overdue first, wherever the clock jumps",
    run: async (open) => {
      await using store = await open();
      await write(store, async ({ schedules }) => {
        await schedules.set(schedule("alice", { nextAt: T0 + 20 }));
        await schedules.set(schedule("bob", { nextAt: T0 + 10 }));
        await schedules.set(schedule("carol", { nextAt: T0 + 30 }));
      });
      const due = (now: number) =>
        store.read(async (reads) => (await reads.schedules.due(now)).map(({ target }) => target));
      expect(await due(T0 + 9)).toEqual([]);
      expect(await due(T0 + 20)).toEqual(["bob", "alice"]);
      expect(await due(T0 + 10 * 365 * 86_400_000)).toEqual(["bob", "alice", "carol"]);
      expect(await due(T0 - 3_600_000)).toEqual([]);
    },
  },
];

function schedule(target: string, given: Partial<ScheduleRecord> = {}): ScheduleRecord {
  return {
    id: "sch_1",
    target,
    wakeup: { kind: "interval", everyMs: 300_000 },
    prompt: null,
    nextAt: T0,
    lastFiredAt: null,
    createdBy: "user",
    createdAt: T0,
    ...given,
  };
}
