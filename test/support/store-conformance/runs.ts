import { expect } from "vitest";
import type { StoreCase } from "../store-conformance.ts";
import { run, T0, write } from "../store-records.ts";

export const runCases: readonly StoreCase[] = [
  {
    name: "a run comes back as it was opened; the unfinished ones in the order they were opened, whatever their ids",
    run: async (open) => {
      await using store = await open();
      const first = run("run_9", {
        lane: "background",
        mailbox: "bob@review:main",
        space: "bob",
        spoke: true,
        recoveries: 1,
      });
      await write(store, async ({ runs }) => {
        await runs.open(first);
        await runs.open(run("run_5"));
        await runs.open(run("run_1"));
        await runs.end("run_5", { endedAt: T0, outcome: "answered", detail: null });
        await runs.move("run_1", { state: "parked", holder: "own_1", recoveries: 0, lane: "normal" });
      });
      expect(await store.read((reads) => reads.runs.byId("run_9"))).toEqual(first);
      expect(await store.read((reads) => reads.runs.byId("run_0"))).toBeUndefined();
      const unfinished = await store.read((reads) => reads.runs.unfinished());
      expect(unfinished.map(({ id, state }) => [id, state])).toEqual([
        ["run_9", "open"],
        ["run_1", "parked"],
      ]);
    },
  },
  {
    name: "a run changes hands, remembers that it spoke, and once ended stays ended",
    run: async (open) => {
      await using store = await open();
      const ended = { endedAt: T0 + 5, outcome: "failed", detail: "no such model" } as const;
      const resumed = { state: "open", holder: "own_2", recoveries: 2, lane: "immediate" } as const;
      const answers = await write(store, async ({ runs }) => {
        await runs.open(run("run_1"));
        const moved = await runs.move("run_1", resumed);
        await runs.markSpoke("run_1");
        expect(await runs.byId("run_1")).toEqual(run("run_1", { ...resumed, spoke: true }));
        return [
          moved,
          await runs.end("run_1", ended),
          await runs.end("run_1", { ...ended, outcome: "answered" }),
          await runs.move("run_1", { ...resumed, holder: "own_3" }),
          await runs.end("run_9", ended),
          await runs.move("run_9", resumed),
        ];
      });
      expect(answers).toEqual([true, true, false, false, false, false]);
      expect(await store.read((reads) => reads.runs.byId("run_1"))).toEqual(
        run("run_1", { ...resumed, spoke: true, ...ended, state: "ended" }),
      );
    },
  },
  {
    name: "the last step is the one with the highest number, and no step is written twice",
    run: async (open) => {
      await using store = await open();
      const step = (number: number) => ({ run: "run_1", number, transcript: `[${number}]`, finishedAt: T0 + number });
      await write(store, async ({ runs }) => {
        await runs.open(run("run_1", { recoveries: 2 }));
        await runs.open(run("run_2", { recoveries: 2 }));
        for (let number = 1; number <= 11; number += 1) await runs.checkpoint(step(number));
      });
      await store.read(async ({ runs }) => {
        expect(await runs.lastStep("run_1")).toEqual(step(11));
        expect(await runs.lastStep("run_2")).toBeUndefined();
        expect([(await runs.byId("run_1"))?.recoveries, (await runs.byId("run_2"))?.recoveries]).toEqual([0, 2]);
      });
      await expect(
        write(store, ({ runs }) => runs.checkpoint({ ...step(11), transcript: "[]" })),
      ).rejects.toBeInstanceOf(Error);
      expect(await store.read((reads) => reads.runs.lastStep("run_1"))).toEqual(step(11));
    },
  },
];
