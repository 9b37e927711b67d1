import { deepEqual, equal, ok as isTrue } from "node:assert/strict";
import { UNKNOWN_USAGE } from "../../domain/budget/usage.ts";
import type { StoreWrites } from "../../ports/store/store.ts";
import { delivery, message, run, T0, workspace, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const OLD = "@old:main";
const WAITING = "@waiting:main";

/** Old data on disk: what is found, and what is gone after it was removed. */
export const retentionCases: readonly StoreCase[] = [
  {
    name: "the details of old runs are found in order and removed; what they used, and the last one, stay",
    run: async (store) => {
      const step = (id: string) => ({
        run: id,
        number: 1,
        transcript: '["said"]',
        continues: false,
        finishedAt: T0,
        wallMs: 3,
        usage: UNKNOWN_USAGE,
      });
      await write(store, async ({ runs, history }) => {
        for (const [index, id] of ["run_1", "run_2", "run_3"].entries()) {
          await runs.open(run(id, { mailbox: "alice", space: "alice" }));
          await runs.checkpoint(step(id));
          await history.storeReceipt(id, "{}");
          await history.storePrompt(
            id,
            { system: "You are alice.", tools: `["${id}"]`, prompt: [{ text: "asked", shared: false }] },
            T0,
          );
          await history.storeCalls(id, 1, [{ tool: "bash", args: "{}", result: "ok", failed: false }]);
          await runs.end(id, { endedAt: T0 + index, outcome: "answered", detail: null, reason: null });
        }
        await runs.open(run("run_4", { mailbox: "alice", space: "alice" }));
      });
      const find = (after: { endedAt: number; id: string } | null) =>
        store.read(({ retention }) => retention.runsWithDetails({ endedBefore: T0 + 5, after, limit: 2 }));
      deepEqual(await find(null), [
        { id: "run_1", endedAt: T0, hasSuccessor: true },
        { id: "run_2", endedAt: T0 + 1, hasSuccessor: true },
      ]);
      deepEqual(await find({ endedAt: T0 + 1, id: "run_2" }), [{ id: "run_3", endedAt: T0 + 2, hasSuccessor: false }]);
      await write(store, async ({ retention }) => {
        deepEqual(await retention.detailedSteps("run_1"), [{ number: 1, bytes: '["said"]'.length + 4 }]);
        await retention.removeStepDetails("run_1", 1);
        deepEqual(await retention.detailedSteps("run_1"), []);
        await retention.finishDetails("run_1", T0 + 9);
      });
      equal((await find(null))[0]?.id, "run_2");
      await store.read(async ({ runs, history }) => {
        equal(await history.receipt("run_1"), null);
        equal(await history.prompt("run_1"), null);
        // The system text of the removed run is also that of the others.
        equal((await history.prompt("run_2"))?.system, "You are alice.");
        equal(await history.detailsRemovedAt("run_1"), T0 + 9);
        equal(await history.detailsRemovedAt("run_2"), null);
        deepEqual(
          (await history.steps("run_1")).map(({ wallMs, calls }) => [wallMs, calls]),
          [[3, []]],
        );
        equal(await runs.lastTranscript({ mailbox: "alice", agent: "alice", space: "alice" }), '["said"]');
      });
    },
  },
  {
    name: "the oldest events are found and removed, but never the newest one or what a rule has yet to read",
    run: async (store) => {
      await write(store, async (writes) => {
        for (let n = 0; n < 5; n += 1) {
          await writes.appendEvent({ type: "message.posted", space: "alice", message: `msg_${n}` }, T0 + n);
        }
      });
      const found = await store.read(({ retention }) => retention.oldEvents({ after: 1, limit: 9 }));
      deepEqual(
        found.map(({ seq, at }) => [seq, at]),
        [2, 3, 4].map((seq) => [seq, T0 + seq - 1]),
      );
      isTrue(found.every(({ bytes }) => bytes > 0));
      await write(store, ({ retention }) => retention.removeEvents(3));
      await store.read(async ({ events, retention }) => {
        equal(await retention.newestEvent(), 5);
        const page = await events.after({ durable: 0, ephemeral: 0 }, 9);
        deepEqual(
          page.events.map(({ seq }) => seq),
          [4, 5],
        );
      });
    },
  },
  {
    name: "a closed workspace is found when nothing waits in it, and removed with its messages and runs",
    run: async (store) => {
      await write(store, async (writes) => {
        for (const space of [OLD, WAITING]) await fill(writes, space);
        await writes.messages.append(message("msg_newest", { space: "alice" }), null);
        await writes.runs.open(run("run_newest", { mailbox: "alice", space: "alice" }));
      });
      const find = (closedBefore: number) =>
        store.read(({ retention }) => retention.closedWorkspaces({ closedBefore, after: "", limit: 9 }));
      deepEqual(await find(T0), []);
      deepEqual(await find(T0 + 1), [
        { key: OLD, somethingWaits: false },
        { key: WAITING, somethingWaits: true },
      ]);
      await write(store, async ({ retention }) => {
        for (const { seq } of await retention.messagesOf(OLD, { after: 0, limit: 9 }))
          await retention.removeMessage(seq);
        for (const id of await retention.runsOf(OLD, { after: "", limit: 9 })) await retention.removeRun(id, T0 + 9);
        await retention.removeWorkspace(OLD);
        equal(await retention.removeKeysOfRemoved(null, 100), null);
      });
      deepEqual(await find(T0 + 1), [{ key: WAITING, somethingWaits: true }]);
      await store.read(async ({ messages, runs, workspaces }) => {
        equal(await workspaces.byKey(OLD), undefined);
        deepEqual(await messages.page({ space: OLD, limit: 9 }), []);
        equal((await messages.page({ space: WAITING, limit: 9 })).length, 1);
        equal(await runs.byId(`run ${OLD}`), undefined);
        equal((await runs.byId(`run ${WAITING}`))?.state, "ended");
      });
      // The key of a removed message may be used again.
      await write(store, ({ messages }) => messages.append(message("msg_again", { space: "alice" }), `key ${OLD}`));
    },
  },
];

/** A closed workspace with one message, its delivery and a run. Only in one of them the message is answered. */
async function fill({ workspaces, messages, deliveries, runs }: StoreWrites, space: string): Promise<void> {
  await workspaces.open(workspace(space));
  const seq = await messages.append(message(`msg ${space}`, { space }), `key ${space}`);
  await deliveries.add(delivery(`dlv ${space}`, seq, { space }));
  await runs.open(run(`run ${space}`, { space }));
  await runs.end(`run ${space}`, { endedAt: T0, outcome: "silent", detail: null, reason: null });
  if (space === OLD) {
    const from = { status: "pending", leaseOwner: null } as const;
    await deliveries.advance(`dlv ${space}`, from, {
      state: { status: "acked", attempts: 1, preempted: 0, by: "run" },
      leaseOwner: null,
      run: null,
    });
  }
  await workspaces.close(space, T0);
}
