import { deepEqual, equal } from "node:assert/strict";
import { approval, run, T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

export const approvalCases: readonly StoreCase[] = [
  {
    name: "an approval is read as it was requested, and is decided once",
    run: async (store) => {
      const decision = { state: "denied", reason: "no", decidedBy: "user", decidedAt: T0 + 5 } as const;
      const answers = await write(store, async ({ runs, approvals }) => {
        await runs.open(run("run_1"));
        await approvals.request(approval("apr_1"));
        deepEqual(await approvals.byId("apr_1"), approval("apr_1"));
        return [
          await approvals.decide("apr_1", decision),
          await approvals.decide("apr_1", { ...decision, state: "approved" }),
          await approvals.decide("apr_9", decision),
        ];
      });
      deepEqual(answers, [true, false, false]);
      await store.read(async ({ approvals }) => {
        deepEqual(await approvals.byId("apr_1"), approval("apr_1", decision));
        equal(await approvals.byId("apr_9"), undefined);
      });
    },
  },
  {
    name: "approvals are found by run and call, oldest first, and listed by space and state, newest first",
    run: async (store) => {
      await write(store, async ({ runs, approvals }) => {
        await runs.open(run("run_1"));
        await runs.open(run("run_2"));
        await approvals.request(approval("apr_3"));
        await approvals.request(approval("apr_2", { call: "call_2", space: "@other:main" }));
        await approvals.request(approval("apr_1", { state: "approved", decidedBy: "user", decidedAt: T0 }));
        await approvals.request(approval("apr_4", { run: "run_2" }));
      });
      await store.read(async ({ approvals }) => {
        const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);
        deepEqual(ids(await approvals.ofRun("run_1")), ["apr_3", "apr_2", "apr_1"]);
        deepEqual(ids(await approvals.ofRun("run_1", "call_1")), ["apr_3", "apr_1"]);
        deepEqual(ids(await approvals.list({ limit: 3 })), ["apr_4", "apr_1", "apr_2"]);
        deepEqual(ids(await approvals.list({ state: "pending", limit: 9 })), ["apr_4", "apr_2", "apr_3"]);
        deepEqual(ids(await approvals.list({ state: "approved", limit: 9 })), ["apr_1"]);
        deepEqual(ids(await approvals.list({ state: "denied", limit: 9 })), []);
        deepEqual(ids(await approvals.list({ space: "@other:main", limit: 9 })), ["apr_2"]);
        deepEqual(ids(await approvals.list({ space: "@other:main", state: "pending", limit: 9 })), ["apr_2"]);
        equal(await approvals.countPending("@review:main"), 2);
        equal(await approvals.countPending("bob"), 0);
      });
    },
  },
  {
    name: "the answers of a run's calls are found until they are forgotten, one by one or all of the run",
    run: async (store) => {
      await write(store, async ({ runs, callAnswers }) => {
        await runs.open(run("run_1"));
        await runs.open(run("run_2"));
        await callAnswers.storeChange("run_1", "1/a", '{"file":"x"}');
        await callAnswers.storeAnswer("run_1", "1/a", '{"ok":1}');
        await callAnswers.storeAnswer("run_1", "1/b", "2");
        await callAnswers.storeChange("run_2", "1/a", "3");
        await callAnswers.storeChange("run_2", "1/a", "4");
      });
      await store.read(async ({ callAnswers }) => {
        deepEqual(await callAnswers.find("run_1", "1/a"), { answer: '{"ok":1}', change: '{"file":"x"}' });
        deepEqual(await callAnswers.find("run_1", "1/b"), { answer: "2", change: null });
        deepEqual(await callAnswers.find("run_2", "1/a"), { answer: null, change: "4" });
        equal(await callAnswers.find("run_2", "1/b"), undefined);
      });
      await write(store, async ({ callAnswers }) => {
        await callAnswers.forget("run_1", "1/a");
        await callAnswers.forget("run_2");
      });
      await store.read(async ({ callAnswers }) => {
        equal(await callAnswers.find("run_1", "1/a"), undefined);
        deepEqual(await callAnswers.find("run_1", "1/b"), { answer: "2", change: null });
        equal(await callAnswers.find("run_2", "1/a"), undefined);
      });
    },
  },
];
