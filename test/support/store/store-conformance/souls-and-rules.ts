import { expect } from "vitest";
import type { RuleRecord } from "../../../../src/ports/store/rule.ts";
import type { SoulProposalRecord } from "../../../../src/ports/store/soul-proposal.ts";
import type { StoreCase } from "../store-conformance.ts";
import { T0, write } from "../store-records.ts";

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
    name: "a proposed change of a soul is kept whole, listed newest first, and decided once",
    run: async (open) => {
      await using store = await open();
      const [one, two, bobs] = [soulProposal("sol_1"), soulProposal("sol_2"), soulProposal("sol_3", { agent: "bob" })];
      await write(store, async ({ soulProposals }) => {
        for (const each of [one, two, bobs]) await soulProposals.add(each);
        await soulProposals.repeat("sol_1", { times: 2, evidence: ["run_1", "run_2"], heard: [], outside: false });
      });
      const decision = { state: "approved", decidedBy: "user", reason: "yes", version: 1, decidedAt: T0 + 1 } as const;
      await write(store, async ({ soulProposals }) => {
        expect(await soulProposals.decide("sol_2", decision)).toBe(true);
        expect(await soulProposals.decide("sol_2", { ...decision, state: "rejected" })).toBe(false);
      });
      await store.read(async ({ soulProposals }) => {
        const first = { ...one, times: 2, evidence: ["run_1", "run_2"], heard: [], outside: false };
        const second = { ...two, ...decision };
        expect(await soulProposals.byId("sol_1")).toEqual(first);
        expect(await soulProposals.byId("sol_9")).toBeUndefined();
        expect(await soulProposals.list({ limit: 9 })).toEqual([bobs, second, first]);
        expect(await soulProposals.list({ agent: "alice", limit: 1 })).toEqual([second]);
        expect(await soulProposals.list({ agent: "alice", state: "open", limit: 9 })).toEqual([first]);
        expect(await soulProposals.countOpen("alice")).toBe(1);
      });
    },
  },
  {
    name: "rules are listed in order, progress one by one, have looked together, pause with their space, and are gone when removed",
    run: async (open) => {
      await using store = await open();
      const other = rule("rul_2", { space: "@b:main", authorKind: "person", seen: 9 });
      await write(store, async ({ rules }) => {
        await rules.add(rule("rul_1"));
        await rules.add(other);
        await rules.setSeen(5);
        const to = { fired: 1, total: 4, resting: true, lastFiredAt: T0 + 2, lastRefusal: "no" };
        await rules.progress("rul_1", to);
      });
      await store.read(async ({ rules }) => {
        const progressed = { fired: 1, total: 4, resting: true, lastFiredAt: T0 + 2, lastRefusal: "no", seen: 5 };
        expect(await rules.list()).toEqual([rule("rul_1", progressed), other]);
        expect(await rules.list("@b:main")).toEqual([other]);
      });
      await write(store, async ({ rules }) => {
        await rules.pause("@b:main");
        await rules.setSeen(12);
      });
      await store.read(async ({ rules }) => {
        expect((await rules.atWork()).map(({ id, seen }) => [id, seen])).toEqual([["rul_1", 12]]);
        expect(await rules.byId("rul_2")).toEqual({ ...other, seen: null });
      });
      await write(store, ({ rules }) => rules.resume("@b:main", 14));
      expect((await store.read(({ rules }) => rules.atWork())).map(({ seen }) => seen)).toEqual([12, 14]);
      await write(store, async ({ rules }) => {
        expect(await rules.remove("rul_1")).toBe(true);
        expect(await rules.remove("rul_1")).toBe(false);
      });
      expect(await store.read(({ rules }) => rules.byId("rul_1"))).toBeUndefined();
    },
  },
  {
    name: "documents that were written are told newest first",
    run: async (open) => {
      await using store = await open();
      await write(store, async ({ appendEvent }) => {
        for (const file of ["a.md", "b.md", "c.md"]) {
          await appendEvent({ type: "document.written", space: "@a:main", file, revision: "r", by: "alice" }, T0);
          await appendEvent({ type: "agent.created", agent: "x", ephemeral: false }, T0);
        }
      });
      expect(await store.read(({ behaviourPatterns }) => behaviourPatterns.documentsWritten(2))).toEqual([
        { space: "@a:main", file: "c.md", by: "alice" },
        { space: "@a:main", file: "b.md", by: "alice" },
      ]);
    },
  },
];
