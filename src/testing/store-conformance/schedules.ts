import { deepEqual, equal } from "node:assert/strict";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import { T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

export const scheduleCases: readonly StoreCase[] = [
  {
    name: "a target has one schedule: setting replaces it, clearing removes it",
    run: async (store) => {
      const first = schedule("alice", { lastFiredAt: T0, pausedAt: T0 + 1, prompt: "look around" });
      const second = schedule("alice", {
        id: "sch_2",
        wakeup: { kind: "cron", expression: "0 9 * * *", timeZone: "UTC" },
      });
      const find = () => store.read((reads) => reads.schedules.byTarget("alice"));
      equal(await find(), undefined);
      await write(store, ({ schedules }) => schedules.set(first));
      deepEqual(await find(), first);
      await write(store, async ({ schedules }) => {
        await schedules.set(second);
        await schedules.set(schedule("@review:main"));
      });
      deepEqual(await find(), second);
      deepEqual(await store.read(async (reads) => (await reads.schedules.list()).map(({ target }) => target)), [
        "@review:main",
        "alice",
      ]);
      equal(await write(store, ({ schedules }) => schedules.clear("alice")), true);
      equal(await write(store, ({ schedules }) => schedules.clear("alice")), false);
      equal(await find(), undefined);
    },
  },
  {
    name: "what is due is what has come, the most overdue first, wherever the clock jumps",
    run: async (store) => {
      await write(store, async ({ schedules }) => {
        await schedules.set(schedule("alice", { nextAt: T0 + 20 }));
        await schedules.set(schedule("bob", { nextAt: T0 + 10 }));
        await schedules.set(schedule("carol", { nextAt: T0 + 30 }));
      });
      const due = (now: number) =>
        store.read(async (reads) => (await reads.schedules.due(now)).map(({ target }) => target));
      deepEqual(await due(T0 + 9), []);
      deepEqual(await due(T0 + 20), ["bob", "alice"]);
      deepEqual(await due(T0 + 10 * 365 * 86_400_000), ["bob", "alice", "carol"]);
      deepEqual(await due(T0 - 3_600_000), []);
    },
  },
];

function schedule(target: string, fields: Partial<ScheduleRecord> = {}): ScheduleRecord {
  return {
    id: "sch_1",
    target,
    wakeup: { kind: "interval", everyMs: 300_000 },
    prompt: null,
    nextAt: T0,
    lastFiredAt: null,
    pausedAt: null,
    createdBy: "user",
    createdAt: T0,
    ...fields,
  };
}
