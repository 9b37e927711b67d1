import { expect } from "vitest";
import { newTree } from "../../../../src/domain/causal/budget.ts";
import type { StoreCase } from "../store-conformance.ts";
import { T0, write } from "../store-records.ts";

/** Resources, causal trees and events. */
export const contentCases: readonly StoreCase[] = [
  {
    name: "a resource is kept once and is known only where it was put",
    run: async (open) => {
      await using store = await open();
      const resource = { id: "res_1", type: "text/plain", bytes: 5, createdBy: "alice", createdAt: T0 };
      await write(store, async ({ resources }) => {
        await resources.put(resource, "héllo", "@a:main");
        await resources.put(
          { ...resource, type: "text/html", createdBy: "bob", createdAt: T0 + 1 },
          "héllo",
          "@b:main",
        );
        await resources.put(resource, "héllo", "@b:main");
      });
      await store.read(async ({ resources }) => {
        expect(await resources.byId("res_1")).toEqual(resource);
        expect(await resources.content("res_1")).toBe("héllo");
        expect(await resources.inSpace("res_1", "@a:main")).toBe(true);
        expect(await resources.inSpace("res_1", "@b:main")).toBe(true);
        expect(await resources.inSpace("res_1", "@c:main")).toBe(false);
        expect(await resources.byId("res_2")).toBeUndefined();
        expect(await resources.content("res_2")).toBeUndefined();
      });
    },
  },
  {
    name: "large content comes back whole",
    run: async (open) => {
      await using store = await open();
      const content = "0123456789é".repeat(300_000);
      const bytes = Buffer.byteLength(content);
      await write(store, ({ resources }) =>
        resources.put({ id: "res_1", type: "text/plain", bytes, createdBy: "alice", createdAt: T0 }, content, "alice"),
      );
      expect((await store.read((reads) => reads.resources.content("res_1"))) === content).toBe(true);
    },
  },
  {
    name: "a causal tree is absent until it is saved, and saving replaces it",
    run: async (open) => {
      await using store = await open();
      expect(await store.read((reads) => reads.causal.tree("msg_1"))).toBeUndefined();
      const tree = { ...newTree("msg_1"), messages: 3, turns: 2, tokens: 900, maxDepth: 2 };
      await write(store, ({ causal }) => causal.save(tree));
      const tripped = { ...tree, tripped: { reason: "too long", at: T0 } };
      await write(store, async ({ causal }) => {
        expect(await causal.tree("msg_1")).toEqual(tree);
        await causal.save(tripped);
      });
      expect(await store.read((reads) => reads.causal.tree("msg_1"))).toEqual(tripped);
    },
  },
  {
    name: "events are numbered without gaps and can be read on from any number [store.events]",
    run: async (open) => {
      await using store = await open();
      const last = () => store.read((reads) => reads.events.last());
      const after = (seq: number, limit: number) => store.read((reads) => reads.events.after(seq, limit));
      expect(await last()).toBe(0);
      expect(await after(0, 10)).toEqual([]);
      const recorded = await Promise.all(
        Array.from({ length: 25 }, (_, n) =>
          write(store, ({ appendEvent }) =>
            appendEvent({ type: "message.posted", space: "@review:main", message: `msg_${n}` }, T0 - n),
          ),
        ),
      );
      expect(recorded.map(({ seq }) => seq)).toEqual(recorded.map((_, n) => n + 1));
      expect(recorded[3]).toEqual({
        type: "message.posted",
        space: "@review:main",
        message: "msg_3",
        seq: 4,
        at: T0 - 3,
      });
      expect(await last()).toBe(25);
      const resumed: unknown[] = [];
      for (let at = 7; ;) {
        const page = await after(at, 4);
        if (page.length === 0) break;
        resumed.push(...page);
        at = page.at(-1)?.seq ?? at;
      }
      expect(resumed).toEqual(recorded.slice(7));
    },
  },
];
