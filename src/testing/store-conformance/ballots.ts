import { deepEqual, equal, partialDeepStrictEqual } from "node:assert/strict";
import { ballot, T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

export const ballotCases: readonly StoreCase[] = [
  {
    name: "ballots come back as they were opened, the newest first whatever their ids",
    run: async (store) => {
      await write(store, async ({ ballots }) => {
        for (const id of ["bal_9", "bal_1", "bal_5"]) await ballots.open(ballot(id));
        await ballots.open(ballot("bal_other", { space: "@other:main" }));
        await ballots.close("bal_1", { state: "cancelled", outcome: null, closedAt: T0 });
      });
      const list = (query: { state?: "open"; limit: number }) =>
        store.read(async (reads) =>
          (await reads.ballots.list({ space: "@review:main", ...query })).map(({ id }) => id),
        );
      deepEqual(await store.read((reads) => reads.ballots.byId("bal_9")), ballot("bal_9"));
      equal(await store.read((reads) => reads.ballots.byId("bal_0")), undefined);
      deepEqual(await list({ limit: 9 }), ["bal_5", "bal_1", "bal_9"]);
      deepEqual(await list({ limit: 2 }), ["bal_5", "bal_1"]);
      deepEqual(await list({ state: "open", limit: 9 }), ["bal_5", "bal_9"]);
      equal(await store.read((reads) => reads.ballots.countOpen("@review:main")), 2);
      equal(await store.read((reads) => reads.ballots.countOpen("@none:main")), 0);
    },
  },
  {
    name: "votes are in the order of each voter's last one, which replaces the earlier",
    run: async (store) => {
      const votes = await write(store, async ({ ballots }) => {
        await ballots.open(ballot("bal_1"));
        await ballots.open(ballot("bal_2"));
        await ballots.vote("bal_2", { voter: "alice", option: "no", reason: null, at: T0 });
        await ballots.vote("bal_1", { voter: "alice", option: "yes", reason: "why not", at: T0 });
        await ballots.vote("bal_1", { voter: "bob", option: "no", reason: null, at: T0 + 1 });
        await ballots.vote("bal_1", { voter: "alice", option: "no", reason: null, at: T0 - 1 });
        return ballots.votes("bal_1");
      });
      deepEqual(votes, [
        { voter: "bob", option: "no", reason: null, at: T0 + 1 },
        { voter: "alice", option: "no", reason: null, at: T0 - 1 },
      ]);
      deepEqual(await store.read((reads) => reads.ballots.votes("bal_1")), votes);
      equal(await store.read(async (reads) => (await reads.ballots.votes("bal_2")).length), 1);
    },
  },
  {
    name: "a ballot is due when its time is over and it is open, and is closed once",
    run: async (store) => {
      const outcome = { status: "resolved", winner: "yes", by: "votes" } as const;
      const resolved = { state: "resolved", outcome, closedAt: T0 } as const;
      await write(store, async ({ ballots }) => {
        await ballots.open(ballot("bal_2", { expiresAt: T0 + 20 }));
        await ballots.open(ballot("bal_1", { expiresAt: T0 + 10 }));
        await ballots.open(ballot("bal_3", { expiresAt: T0 + 30 }));
      });
      const due = (now: number) => store.read(async (reads) => (await reads.ballots.due(now)).map(({ id }) => id));
      deepEqual(await due(T0 + 9), []);
      deepEqual(await due(T0 + 20), ["bal_1", "bal_2"]);
      const answers = await write(store, async ({ ballots }) => [
        await ballots.close("bal_1", resolved),
        await ballots.close("bal_1", { state: "expired", outcome: null, closedAt: T0 + 99 }),
        await ballots.close("bal_9", resolved),
      ]);
      deepEqual(answers, [true, false, false]);
      deepEqual(await due(T0 + 20), ["bal_2"]);
      deepEqual(
        await store.read((reads) => reads.ballots.byId("bal_1")),
        ballot("bal_1", { expiresAt: T0 + 10, ...resolved }),
      );
    },
  },
  {
    name: "a ballot is due for a reminder when half of its time is over, until somebody was reminded or it is closed",
    run: async (store) => {
      await write(store, async ({ ballots }) => {
        await ballots.open(ballot("bal_1", { openedAt: T0, expiresAt: T0 + 20 }));
        await ballots.open(ballot("bal_2", { openedAt: T0, expiresAt: T0 + 40 }));
        await ballots.open(ballot("bal_3", { openedAt: T0, expiresAt: T0 + 20 }));
        await ballots.close("bal_3", { state: "cancelled", outcome: null, closedAt: T0 });
      });
      const due = (now: number) =>
        store.read(async (reads) => (await reads.ballots.dueForReminder(now)).map(({ id }) => id));
      deepEqual(await due(T0 + 9), []);
      deepEqual(await due(T0 + 20), ["bal_1", "bal_2"]);
      await write(store, ({ ballots }) => ballots.markReminded("bal_1", T0 + 11));
      deepEqual(await due(T0 + 20), ["bal_2"]);
      partialDeepStrictEqual(await store.read((reads) => reads.ballots.byId("bal_1")), { remindedAt: T0 + 11 });
    },
  },
  {
    name: "a decided ballot is unrecorded until it is marked, and keeps what it led to",
    run: async (store) => {
      const closed = (state: "resolved" | "rejected" | "expired" | "cancelled") => ({
        state,
        outcome: null,
        closedAt: T0,
      });
      const effect = { propose: "send-message", refused: "nobody is there" };
      await write(store, async ({ ballots }) => {
        for (const id of ["bal_9", "bal_8", "bal_7", "bal_6"]) await ballots.open(ballot(id));
        await ballots.open(ballot("bal_other", { space: "@a:main" }));
        await ballots.close("bal_9", closed("resolved"));
        await ballots.close("bal_8", closed("expired"));
        await ballots.close("bal_7", closed("cancelled"));
        await ballots.close("bal_other", closed("rejected"));
        await ballots.setEffect("bal_9", effect);
      });
      const unrecorded = (limit: number) =>
        store.read(async (reads) => (await reads.ballots.unrecorded("@review:main", limit)).map(({ id }) => id));
      const spaces = () => store.read((reads) => reads.ballots.spacesWithUnrecorded());
      deepEqual(await unrecorded(9), ["bal_9", "bal_8"]);
      deepEqual(await unrecorded(1), ["bal_9"]);
      deepEqual(await spaces(), ["@a:main", "@review:main"]);
      partialDeepStrictEqual(await store.read((reads) => reads.ballots.byId("bal_9")), { effect });
      await write(store, ({ ballots }) => ballots.markRecorded("bal_9"));
      deepEqual(await unrecorded(9), ["bal_8"]);
      await write(store, ({ ballots }) => ballots.markRecorded("bal_8"));
      deepEqual(await spaces(), ["@a:main"]);
    },
  },
];
