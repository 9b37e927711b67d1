import { deepEqual, equal } from "node:assert/strict";
import type { RuleRecord } from "../../ports/store/proposals/rule.ts";
import type { SoulProposalRecord } from "../../ports/store/soul-proposal.ts";
import { T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

function soulProposal(id: string, more: Partial<SoulProposalRecord> = {}): SoulProposalRecord {
  return {
    id,
    agent: "alice",
    source: "agent",
    author: "alice",
    observation: "I ask why.",
    change: { kind: "add", trait: "principles", item: "Ask why" },
    evidence: ["run_1"],
    space: "@a:main",
    run: "run_1",
    heard: ["user", "bob"],
    outside: true,
    times: 1,
    state: "open",
    decidedBy: null,
    reason: null,
    version: null,
    createdAt: T0,
    decidedAt: null,
    ...more,
  };
}

function rule(id: string, more: Partial<RuleRecord> = {}): RuleRecord {
  return {
    id,
    space: "@a:main",
    name: id,
    author: "bob",
    authorKind: "agent",
    when: { on: "message", from: "carol" },
    then: { propose: "send-message", data: { message: "hi" } },
    most: 20,
    fired: 0,
    total: 0,
    seen: 0,
    resting: false,
    lastFiredAt: null,
    lastRefusal: null,
    createdAt: T0,
    ...more,
  };
}

export const soulAndRuleCases: readonly StoreCase[] = [
  {
    name: "a proposed change of a soul is stored whole, listed newest first, and decided once",
    run: async (store) => {
      const [one, two, bobs] = [soulProposal("sol_1"), soulProposal("sol_2"), soulProposal("sol_3", { agent: "bob" })];
      await write(store, async ({ soulProposals }) => {
        for (const each of [one, two, bobs]) await soulProposals.add(each);
        await soulProposals.repeat("sol_1", { times: 2, evidence: ["run_1", "run_2"], heard: [], outside: false });
      });
      const decision = { state: "approved", decidedBy: "user", reason: "yes", version: 1, decidedAt: T0 + 1 } as const;
      await write(store, async ({ soulProposals }) => {
        equal(await soulProposals.decide("sol_2", decision), true);
        equal(await soulProposals.decide("sol_2", { ...decision, state: "rejected" }), false);
      });
      await store.read(async ({ soulProposals }) => {
        const first = { ...one, times: 2, evidence: ["run_1", "run_2"], heard: [], outside: false };
        const second = { ...two, ...decision };
        deepEqual(await soulProposals.byId("sol_1"), first);
        equal(await soulProposals.byId("sol_9"), undefined);
        deepEqual(await soulProposals.list({ limit: 9 }), [bobs, second, first]);
        deepEqual(await soulProposals.list({ agent: "alice", limit: 1 }), [second]);
        deepEqual(await soulProposals.list({ agent: "alice", state: "open", limit: 9 }), [first]);
        equal(await soulProposals.countOpen("alice"), 1);
      });
    },
  },
  {
    name: "rules are listed in order, progress one by one, have looked together, pause with their space, and are gone when removed",
    run: async (store) => {
      const happen = (times: number) =>
        write(store, async ({ appendEvent }) => {
          for (let n = 0; n < times; n += 1) await appendEvent({ type: "workspace.opened", space: "@a:main" }, T0);
        });
      const seen = () =>
        store.read(async ({ rules }) => Object.values(await rules.seen()).reduce((sum, each) => sum + each));
      const other = rule("rul_2", { space: "@b:main", authorKind: "person", seen: 9 });
      await write(store, ({ rules }) => rules.add(rule("rul_1"), { isPaused: false }));
      await happen(5);
      equal(await seen(), 0);
      await write(store, ({ rules }) => rules.markSeen());
      await happen(4);
      equal(await seen(), 5);
      await write(store, async ({ rules }) => {
        await rules.add(other, { isPaused: false });
        const to = { fired: 1, total: 4, resting: true, lastFiredAt: T0 + 2, lastRefusal: "no" };
        await rules.progress("rul_1", to);
      });
      await store.read(async ({ rules }) => {
        const progressed = { fired: 1, total: 4, resting: true, lastFiredAt: T0 + 2, lastRefusal: "no", seen: 5 };
        deepEqual(await rules.list(), [rule("rul_1", progressed), other]);
        deepEqual(await rules.list("@b:main"), [other]);
      });
      await write(store, async ({ rules }) => {
        await rules.pause("@b:main");
        await rules.add(rule("rul_3", { space: "@b:main" }), { isPaused: true });
      });
      await happen(3);
      await write(store, ({ rules }) => rules.markSeen());
      await store.read(async ({ rules }) => {
        deepEqual(
          (await rules.active()).map(({ id, seen }) => [id, seen]),
          [["rul_1", 12]],
        );
        deepEqual(await rules.byId("rul_2"), { ...other, seen: null });
      });
      await happen(2);
      await write(store, ({ rules }) => rules.resume("@b:main"));
      deepEqual(
        (await store.read(({ rules }) => rules.active())).map((each) => each.seen),
        [12, 14, 14],
      );
      await write(store, async ({ rules }) => {
        equal(await rules.remove("rul_1"), true);
        equal(await rules.remove("rul_1"), false);
      });
      equal(await store.read(({ rules }) => rules.byId("rul_1")), undefined);
    },
  },
  {
    name: "an own proposal remembers one value in each space, replaces it and forgets it",
    run: async (store) => {
      const remembered = (space: string, proposal = "gate") =>
        store.read(({ ownProposalStates }) => ownProposalStates.find(space, proposal));
      await write(store, async ({ ownProposalStates }) => {
        await ownProposalStates.store("@a:main", "gate", "[1]");
        await ownProposalStates.store("", "gate", "[2]");
        await ownProposalStates.store("@a:main", "gate", "[3]");
      });
      deepEqual([await remembered("@a:main"), await remembered("")], ["[3]", "[2]"]);
      deepEqual([await remembered("@b:main"), await remembered("", "other")], [undefined, undefined]);
      await write(store, ({ ownProposalStates }) => ownProposalStates.store("", "gate", null));
      deepEqual([await remembered("@a:main"), await remembered("")], ["[3]", undefined]);
    },
  },
  {
    name: "documents that were written are listed newest first",
    run: async (store) => {
      await write(store, async ({ appendEvent }) => {
        for (const file of ["a.md", "b.md", "c.md"]) {
          await appendEvent({ type: "document.written", space: "@a:main", file, revision: "r", by: "alice" }, T0);
          await appendEvent({ type: "agent.created", agent: "x", ephemeral: false }, T0);
        }
      });
      deepEqual(await store.read(({ behaviourPatterns }) => behaviourPatterns.documentsWritten(2)), [
        { space: "@a:main", file: "c.md", by: "alice" },
        { space: "@a:main", file: "b.md", by: "alice" },
      ]);
      await write(store, async ({ appendEvent }) => {
        const written = { type: "document.written", space: "@a:main", file: "a.md" } as const;
        await appendEvent({ ...written, revision: "r2", by: "user" }, T0);
        await appendEvent({ ...written, space: "@b:main", revision: "r3", by: "bob" }, T0);
      });
      deepEqual(await store.read(({ behaviourPatterns }) => behaviourPatterns.writersOf("@a:main", "a.md")), [
        { revision: "r2", by: "user" },
        { revision: "r", by: "alice" },
      ]);
    },
  },
];
