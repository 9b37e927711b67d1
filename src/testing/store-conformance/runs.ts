import { deepEqual, equal, partialDeepStrictEqual, rejects } from "node:assert/strict";
import { addTotals, NOTHING_USED, stepTotal, UNKNOWN_USAGE, type Usage } from "../../domain/budget/usage.ts";
import { NOT_WAITING, type RunWrites } from "../../ports/store/run.ts";
import { run, T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

export const runCases: readonly StoreCase[] = [
  {
    name: "a run comes back as it was opened; the unfinished ones in the order they were opened, whatever their ids",
    run: async (store) => {
      const first = run("run_9", {
        state: "open",
        fence: 3,
        lane: "background",
        mailbox: "bob@review:main",
        space: "@other:main",
        spoke: true,
        recoveries: 1,
        definition: { files: [".agents/bob.yaml"], fingerprint: "abc" },
      });
      const renamed = run("run_7", { agent: "reviewer" });
      await write(store, async ({ runs }) => {
        await runs.open(first);
        await runs.open(renamed);
        await runs.end("run_7", { endedAt: null, outcome: null, detail: null, reason: null });
        await runs.open(run("run_5"));
        await runs.open(run("run_1"));
        await runs.end("run_5", { endedAt: T0, outcome: "answered", detail: null, reason: null });
        await runs.move("run_1", { ...run("run_1"), state: "parked" });
      });
      deepEqual(await store.read((reads) => reads.runs.byId("run_9")), first);
      deepEqual(await store.read((reads) => reads.runs.byId("run_7")), { ...renamed, state: "ended" });
      equal(await store.read((reads) => reads.runs.byId("run_0")), undefined);
      const unfinished = await store.read((reads) => reads.runs.unfinished());
      deepEqual(
        unfinished.map(({ id, state }) => [id, state]),
        [
          ["run_9", "open"],
          ["run_1", "parked"],
        ],
      );
    },
  },
  {
    name: "a run changes hands, remembers that it spoke and what it waits for, and once ended stays ended",
    run: async (store) => {
      const ended = { endedAt: T0 + 5, outcome: "incomplete", detail: "a part", reason: "no steps left" } as const;
      const wait = { reason: "no quota", waitsFor: "quota", waitsSince: T0 + 2, waitsUntil: T0 + 9 } as const;
      const resumed = {
        state: "open",
        leaseOwner: "own_2",
        fence: 2,
        recoveries: 2,
        lane: "immediate",
        ...wait,
      } as const;
      const answers = await write(store, async ({ runs }) => {
        await runs.open(run("run_1"));
        const moved = await runs.move("run_1", resumed);
        await runs.markSpoke("run_1");
        deepEqual(await runs.byId("run_1"), run("run_1", { ...resumed, spoke: true }));
        return [
          moved,
          await runs.end("run_1", ended),
          await runs.end("run_1", { ...ended, outcome: "answered" }),
          await runs.move("run_1", { ...resumed, leaseOwner: "own_3" }),
          await runs.end("run_9", ended),
          await runs.move("run_9", resumed),
        ];
      });
      deepEqual(answers, [true, true, false, false, false, false]);
      deepEqual(
        await store.read((reads) => reads.runs.byId("run_1")),
        run("run_1", { ...resumed, ...NOT_WAITING, spoke: true, ...ended, state: "ended" }),
      );
    },
  },
  {
    name: "a mailbox has one open run at most: another is neither opened nor resumed, and the first stays as it was",
    run: async (store) => {
      const open = run("run_1", { state: "open", fence: 4 });
      await write(store, async ({ runs }) => {
        await runs.open(open);
        await runs.open(run("run_2"));
        await runs.open(run("run_3", { state: "open", mailbox: "bob" }));
      });
      await rejects(write(store, ({ runs }) => runs.open(run("run_4", { state: "open" }))));
      await rejects(write(store, ({ runs }) => runs.move("run_2", run("run_2", { state: "open", fence: 2 }))));
      await store.read(async ({ runs }) => {
        deepEqual(await runs.openOf("alice"), open);
        equal((await runs.openOf("bob"))?.id, "run_3");
        equal(await runs.openOf("carol"), undefined);
        equal((await runs.byId("run_2"))?.state, "parked");
      });
      await write(store, ({ runs }) =>
        runs.end("run_1", { endedAt: T0, outcome: "answered", detail: null, reason: null }),
      );
      await write(store, ({ runs }) => runs.move("run_2", run("run_2", { state: "open", fence: 2 })));
      equal(await store.read(async ({ runs }) => (await runs.openOf("alice"))?.fence), 2);
    },
  },
  {
    name: "the last step is the one with the highest number, and no step is written twice",
    run: async (store) => {
      const step = (number: number) => stepOf("run_1", number, { finishedAt: T0 + number });
      const { transcript: _transcript, continues: _continues, ...last } = step(11);
      await write(store, async ({ runs }) => {
        await runs.open(run("run_1", { recoveries: 2 }));
        await runs.open(run("run_2", { recoveries: 2 }));
        for (let number = 1; number <= 11; number += 1) await runs.checkpoint(step(number));
      });
      await store.read(async ({ runs }) => {
        deepEqual(await runs.lastStep("run_1"), last);
        equal(await runs.lastStep("run_2"), undefined);
        deepEqual([(await runs.byId("run_1"))?.recoveries, (await runs.byId("run_2"))?.recoveries], [0, 2]);
      });
      await rejects(
        write(store, ({ runs }) => runs.checkpoint({ ...step(11), transcript: "[]" })),
        Error,
      );
      deepEqual(await store.read((reads) => reads.runs.lastStep("run_1")), last);
    },
  },
  {
    name: "a transcript is the last whole one with what later steps added to it",
    run: async (store) => {
      const added = (number: number, transcript: string) => stepOf("run_1", number, { transcript, continues: true });
      await write(store, async ({ runs }) => {
        await runs.open(run("run_1"));
        await runs.open(run("run_2"));
        await runs.checkpoint(stepOf("run_1", 1, { transcript: '["replaced"]' }));
        await runs.checkpoint(added(2, '["replaced, too"]'));
        await runs.checkpoint(stepOf("run_1", 3, { transcript: "[]" }));
        await runs.checkpoint(added(4, '[{"four":[4]},"]["]'));
        await runs.checkpoint(added(5, "[]"));
        await runs.checkpoint(added(6, "[6]"));
        equal(await runs.transcript("run_1"), '[{"four":[4]},"][",6]');
      });
      await rejects(
        write(store, ({ runs }) => runs.checkpoint(added(8, "[8]"))),
        Error,
      );
      const ended = { endedAt: T0, outcome: "answered", detail: null, reason: null } as const;
      await write(store, ({ runs }) => runs.end("run_1", ended));
      await store.read(async ({ runs }) => {
        equal(await runs.transcript("run_2"), null);
        equal(await runs.lastTranscript(run("run_1")), '[{"four":[4]},"][",6]');
      });
    },
  },
  {
    name: "the usage of a run and of a chain is the sum of their steps; what no step reports stays unknown",
    run: async (store) => {
      await write(store, async ({ runs }) => {
        await runs.open(run("run_1", { root: "msg_a" }));
        await runs.open(run("run_2", { root: "msg_a" }));
        await runs.open(run("run_3", { root: "msg_b" }));
        await runs.checkpoint(stepOf("run_1", 1, { wallMs: 5, usage: USED }));
        await runs.checkpoint(stepOf("run_1", 2, { wallMs: 2 }));
        await runs.checkpoint(stepOf("run_2", 1, { usage: { ...USED, cost: { basis: "estimated", usd: 0.25 } } }));
        await runs.checkpoint(stepOf("run_3", 1, { usage: USED }));
      });
      await store.read(async ({ runs }) => {
        const one = addTotals(
          stepTotal({ number: 1, wallMs: 5, usage: USED }),
          stepTotal({ number: 2, wallMs: 2, usage: UNKNOWN_USAGE }),
        );
        deepEqual(await runs.usage({ run: "run_1" }), one);
        partialDeepStrictEqual(one, { runs: 1, steps: 2, cachedInputTokens: null, unknownCostSteps: 1 });
        const chain = await runs.usage({ root: "msg_a" });
        partialDeepStrictEqual(chain, { runs: 2, steps: 3, inputTokens: 20, reportedUsd: 0.5, estimatedUsd: 0.25 });
        deepEqual(await runs.usage({ run: "run_9" }), NOTHING_USED);
        deepEqual((await runs.lastStep("run_2"))?.usage, { ...USED, cost: { basis: "estimated", usd: 0.25 } });
      });
    },
  },
  {
    name: "runs that have not finished a step are counted by mailbox and by space, until they end",
    run: async (store) => {
      await write(store, async ({ runs }) => {
        await runs.open(run("run_1"));
        await runs.open(run("run_2", { mailbox: "bob" }));
        await runs.open(run("run_3", { space: "alice", state: "parked" }));
        await runs.open(run("run_4"));
        await runs.open(run("run_5"));
        await runs.checkpoint(stepOf("run_4", 1));
        await runs.end("run_5", { endedAt: T0, outcome: "failed", detail: null, reason: null });
      });
      await store.read(async ({ runs }) => {
        equal(await runs.countStarting({ mailbox: "alice" }), 2);
        equal(await runs.countStarting({ mailbox: "bob" }), 1);
        equal(await runs.countStarting({ space: "@review:main" }), 2);
        equal(await runs.countStarting({ space: "@review:pr-1" }), 0);
      });
    },
  },
  {
    name: "usage adds up by mailbox, day, space and opening of the space, and is summed by each",
    run: async (store) => {
      const place = { mailbox: "alice", space: "@review:main", openedAt: 1, day: "2026-01-05" };
      const used = stepTotal({ number: 1, wallMs: 3, usage: USED });
      const unknown = stepTotal({ number: 2, wallMs: 4, usage: UNKNOWN_USAGE });
      await write(store, async ({ usage }) => {
        await usage.add(place, unknown);
        await usage.add(place, used);
        await usage.add(place, unknown);
        await usage.add({ ...place, mailbox: "bob" }, used);
        await usage.add({ ...place, openedAt: 2 }, used);
        await usage.add({ ...place, space: "alice", openedAt: 0 }, used);
        await usage.add({ ...place, day: "2026-01-06" }, used);
      });
      await store.read(async ({ usage }) => {
        const mixed = [unknown, used, unknown].reduce(addTotals);
        partialDeepStrictEqual(mixed, {
          inputTokens: 10,
          cachedInputTokens: null,
          reasoningTokens: 4,
          unknownTokenSteps: 2,
        });
        deepEqual(await usage.sinceOpening("@review:main", 2), used);
        deepEqual(await usage.sinceOpening("@review:main", 1), [mixed, used, used].reduce(addTotals));
        deepEqual(await usage.ofDay("alice", "2026-01-05"), [mixed, used, used].reduce(addTotals));
        deepEqual(await usage.ofDay("alice", "2026-01-06"), used);
        deepEqual(await usage.ofDay("zoe", "2026-01-05"), NOTHING_USED);
        const days = await usage.by("day", { mailbox: "alice", space: "@review:main" });
        deepEqual(days, [
          { key: "2026-01-05", total: addTotals(mixed, used) },
          { key: "2026-01-06", total: used },
        ]);
        deepEqual(
          (await usage.by("mailbox", {})).map(({ key, total }) => [key, total.steps]),
          [
            ["alice", 6],
            ["bob", 1],
          ],
        );
        deepEqual(
          (await usage.by("space", { since: "2026-01-06" })).map(({ key }) => key),
          ["@review:main"],
        );
        deepEqual(await usage.by("space", { mailbox: "zoe" }), []);
      });
    },
  },
  {
    name: "past runs are found by mailbox and space, newest first, with the calls of their steps in order",
    run: async (store) => {
      const call = { tool: "bash", args: "{}", result: "ok", failed: false };
      const unanswered = { tool: "read", args: "", result: null, failed: true };
      await write(store, async ({ runs, history }) => {
        await runs.open(run("run_1", { mailbox: "alice", space: "alice" }));
        await runs.open(run("run_2", { mailbox: "alice", space: "@review:main" }));
        await runs.open(run("run_3", { mailbox: "bob", space: "@review:main" }));
        await runs.checkpoint(stepOf("run_2", 1, { wallMs: 5 }));
        await runs.checkpoint(stepOf("run_2", 2));
        await history.storeCalls("run_2", 1, [call, unanswered]);
      });
      await store.read(async ({ history }) => {
        const listed = async (query: object) => (await history.list({ limit: 10, ...query })).map(({ id }) => id);
        deepEqual(await listed({}), ["run_3", "run_2", "run_1"]);
        deepEqual(await listed({ limit: 1 }), ["run_3"]);
        deepEqual(await listed({ mailbox: "alice" }), ["run_2", "run_1"]);
        deepEqual(await listed({ space: "@review:main" }), ["run_3", "run_2"]);
        deepEqual(await listed({ space: "@review:main", mailbox: "alice" }), ["run_2"]);
        deepEqual(await listed({ space: "@other:main" }), []);
        partialDeepStrictEqual(await history.steps("run_2"), [
          { number: 1, wallMs: 5, usage: UNKNOWN_USAGE, calls: [call, unanswered] },
          { number: 2, calls: [] },
        ]);
        deepEqual(await history.steps("run_1"), []);
      });
    },
  },
];

const USED: Usage = {
  inputTokens: 10,
  outputTokens: 7,
  cachedInputTokens: null,
  cacheWriteTokens: 2,
  reasoningTokens: 4,
  cost: { basis: "reported", usd: 0.5 },
};

type StoredStep = Parameters<RunWrites["checkpoint"]>[0];

function stepOf(id: string, number: number, fields: Partial<StoredStep> = {}): StoredStep {
  return {
    run: id,
    number,
    transcript: "{}",
    continues: false,
    finishedAt: T0,
    wallMs: 0,
    usage: UNKNOWN_USAGE,
    ...fields,
  };
}
