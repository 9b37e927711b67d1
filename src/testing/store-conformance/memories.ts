import { deepEqual, equal } from "node:assert/strict";
import type { GuardUse } from "../../ports/store/guard-use.ts";
import type { MemoryChange } from "../../ports/store/memory.ts";
import { run, T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const question = (id: string, agent: string, at: number) => ({
  id,
  agent,
  asker: "alice",
  space: "@review:main",
  run: null,
  query: "how?",
  shared: 2,
  at,
});

export const memoryCases: readonly StoreCase[] = [
  {
    name: "questions about an agent come back newest first, and of that agent alone",
    run: async (store) => {
      await write(store, async ({ memories }) => {
        for (const [index, agent] of ["bob", "carol", "bob", "bob"].entries()) {
          await memories.addQuestion(question(`ask_${index}`, agent, T0 + index));
        }
      });
      await store.read(async ({ memories }) => {
        deepEqual(await memories.questions("bob", 2), [
          question("ask_3", "bob", T0 + 3),
          question("ask_2", "bob", T0 + 2),
        ]);
        deepEqual(await memories.questions("dora", 2), []);
      });
    },
  },
  {
    name: "the last use of a memory counts, and seen untrusted content stays recorded",
    run: async (store) => {
      await write(store, async ({ memories }) => {
        await memories.markUsed("bob", "mem_1", T0);
        await memories.markUsed("bob", "mem_1", T0 + 5);
        await memories.markUsed("carol", "mem_2", T0);
        await memories.markSeenUntrusted("bob", "@review:main", T0);
        await memories.markSeenUntrusted("bob", "@review:main", T0 + 9);
      });
      await store.read(async ({ memories }) => {
        deepEqual(await memories.uses("bob"), new Map([["mem_1", T0 + 5]]));
        deepEqual(await memories.useCounts("bob"), new Map([["mem_1", { times: 2, at: T0 + 5 }]]));
        const queries = [
          ["bob", "@review:main"],
          ["bob", "bob"],
          ["carol", "@review:main"],
        ] as const;
        const answers = await Promise.all(queries.map(([agent, space]) => memories.hasSeenUntrusted(agent, space)));
        deepEqual(answers, [true, false, false]);
      });
    },
  },
  {
    name: "changes of memories come back newest first, and are decided once",
    run: async (store) => {
      const change = (id: string, agent: string, state: MemoryChange["state"]): MemoryChange => ({
        id,
        agent,
        kind: "merged",
        state,
        subject: "key",
        reason: "why",
        details: { entry: { ref: "mem_1", tier: "working" } },
        at: T0,
        decidedAt: null,
      });
      await write(store, async ({ memories }) => {
        await memories.addChange(change("chg_1", "bob", "done"));
        await memories.addChange(change("chg_2", "carol", "done"));
        await memories.addChange(change("chg_3", "bob", "open"));
        await memories.setTidied("bob", T0);
        await memories.setTidied("bob", T0 + 1);
      });
      const ids = (query: { agent?: string; state?: MemoryChange["state"] }) =>
        store.read(async ({ memories }) => (await memories.changes({ ...query, limit: 9 })).map(({ id }) => id));
      deepEqual(await ids({}), ["chg_3", "chg_2", "chg_1"]);
      deepEqual(await ids({ agent: "bob" }), ["chg_3", "chg_1"]);
      deepEqual(await ids({ state: "open" }), ["chg_3"]);
      const decide = () =>
        write(store, ({ memories }) =>
          memories.decideChange("chg_3", "open", { state: "answered", details: { kept: "a" }, decidedAt: T0 + 2 }),
        );
      deepEqual([await decide(), await decide()], [true, false]);
      await store.read(async ({ memories }) => {
        deepEqual(await memories.change("chg_3"), {
          ...change("chg_3", "bob", "answered"),
          details: { kept: "a" },
          decidedAt: T0 + 2,
        });
        deepEqual([await memories.tidiedAt("bob"), await memories.tidiedAt("carol")], [T0 + 1, 0]);
      });
    },
  },
  {
    name: "a run has the last receipt that was stored for it",
    run: async (store) => {
      await write(store, async ({ runs, history }) => {
        await runs.open(run("run_1", { mailbox: "alice", space: "@review:main" }));
        await runs.open(run("run_2", { mailbox: "bob", space: "@review:main" }));
        await history.storeReceipt("run_1", "{}");
        await history.storeReceipt("run_1", '{"budget":1}');
      });
      await store.read(async ({ history }) => {
        equal(await history.receipt("run_1"), '{"budget":1}');
        equal(await history.receipt("run_2"), null);
      });
    },
  },
  {
    name: "what the guard asked is found by run, and summed by day, agent and purpose",
    run: async (store) => {
      const use: GuardUse = {
        mailbox: "alice",
        day: "2026-01-05",
        space: "@review:main",
        run: "run_1",
        purpose: "validate",
        model: "openai/small",
        outcome: "answered",
        reason: null,
        wallMs: 5,
        inputTokens: 100,
        outputTokens: 10,
        usd: 0.5,
        at: T0,
      };
      const failed: GuardUse = { ...use, run: null, outcome: "failed", reason: "no key", usd: null };
      await write(store, async ({ runs, guardUses }) => {
        await runs.open(run("run_1", { mailbox: "alice", space: "@review:main" }));
        await guardUses.add(use);
        await guardUses.add(failed);
        await guardUses.add({ ...use, purpose: "select", space: "alice", day: "2026-01-06", run: null });
        await guardUses.add({ ...use, mailbox: "bob", run: null, at: T0 + 1 });
      });
      await store.read(async ({ guardUses }) => {
        deepEqual(await guardUses.ofRun("run_1"), [use]);
        deepEqual(await guardUses.ofRun("run_2"), []);
        const latest = async (limit: number) => (await guardUses.latest(limit)).map(({ mailbox }) => mailbox);
        deepEqual(await latest(10), ["bob", "alice", "alice", "alice"]);
        deepEqual(await latest(1), ["bob"]);
        equal(await guardUses.tokensOfDay("alice", "2026-01-05"), 220);
        equal(await guardUses.tokensOfDay("alice", "2026-01-04"), 0);
        const sums = { asked: 2, unanswered: 1, wallMs: 10, inputTokens: 200, outputTokens: 20, knownUsd: 0.5 };
        deepEqual(await guardUses.totals({ mailbox: "alice", space: "@review:main" }), [
          { mailbox: "alice", purpose: "validate", ...sums, unknownCosts: 1 },
        ]);
        const all = await guardUses.totals({ since: "2026-01-05" });
        deepEqual(
          all.map(({ mailbox, purpose }) => `${mailbox} ${purpose}`),
          ["alice select", "alice validate", "bob validate"],
        );
        equal((await guardUses.totals({ since: "2026-01-06" })).length, 1);
      });
    },
  },
];
