import { expect } from "vitest";
import type { StoreCase } from "../store-conformance.ts";
import { approval, run, T0, write } from "../store-records.ts";

export const approvalCases: readonly StoreCase[] = [
  {
    name: "an approval comes back as it was asked for, and is decided once",
    run: async (open) => {
      await using store = await open();
      const decision = { state: "denied", reason: "no", decidedBy: "user", decidedAt: T0 + 5 } as const;
      const answers = await write(store, async ({ runs, approvals }) => {
        await runs.open(run("run_1"));
        await approvals.request(approval("apr_1"));
        expect(await approvals.byId("apr_1")).toEqual(approval("apr_1"));
        return [
          await approvals.decide("apr_1", decision),
          await approvals.decide("apr_1", { ...decision, state: "approved" }),
          await approvals.decide("apr_9", decision),
        ];
      });
      expect(answers).toEqual([true, false, false]);
      await store.read(async ({ approvals }) => {
        expect(await approvals.byId("apr_1")).toEqual(approval("apr_1", decision));
        expect(await approvals.byId("apr_9")).toBeUndefined();
      });
    },
  },
  {
    name: "approvals are found by run and call, oldest first, and listed by space and state, newest first",
    run: async (open) => {
      await using store = await open();
      await write(store, async ({ runs, approvals }) => {
        await runs.open(run("run_1"));
        await runs.open(run("run_2"));
        await approvals.request(approval("apr_3"));
        await approvals.request(approval("apr_2", { call: "call_2", space: "alice" }));
        await approvals.request(approval("apr_1", { state: "approved", decidedBy: "user", decidedAt: T0 }));
        await approvals.request(approval("apr_4", { run: "run_2" }));
      });
      await store.read(async ({ approvals }) => {
        const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);
        expect(ids(await approvals.ofRun("run_1"))).toEqual(["apr_3", "apr_2", "apr_1"]);
        expect(ids(await approvals.ofRun("run_1", "call_1"))).toEqual(["apr_3", "apr_1"]);
        expect(ids(await approvals.list({ limit: 3 }))).toEqual(["apr_4", "apr_1", "apr_2"]);
        expect(ids(await approvals.list({ state: "pending", limit: 9 }))).toEqual(["apr_4", "apr_2", "apr_3"]);
        expect(ids(await approvals.list({ state: "approved", limit: 9 }))).toEqual(["apr_1"]);
        expect(ids(await approvals.list({ state: "denied", limit: 9 }))).toEqual([]);
        expect(ids(await approvals.list({ space: "alice", limit: 9 }))).toEqual(["apr_2"]);
        expect(ids(await approvals.list({ space: "alice", state: "pending", limit: 9 }))).toEqual(["apr_2"]);
        expect(await approvals.countPending("@review:main")).toBe(2);
        expect(await approvals.countPending("bob")).toBe(0);
      });
    },
  },
];
