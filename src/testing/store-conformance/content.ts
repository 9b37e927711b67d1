import { deepEqual, equal } from "node:assert/strict";
import { newTree } from "../../domain/causal/budget.ts";
import type { EventCursor } from "../../domain/event.ts";
import { T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

/** Resources, causal trees and events. */
export const contentCases: readonly StoreCase[] = [
  {
    name: "a resource is stored once and is known only where it was put",
    run: async (store) => {
      const resource = {
        id: "res_1",
        type: "text/plain",
        encoding: "utf8",
        bytes: 5,
        createdBy: "alice",
        createdAt: T0,
      } as const;
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
        deepEqual(await resources.byId("res_1"), resource);
        equal(await resources.content("res_1"), "héllo");
        equal(await resources.inSpace("res_1", "@a:main"), true);
        equal(await resources.inSpace("res_1", "@b:main"), true);
        equal(await resources.inSpace("res_1", "@c:main"), false);
        equal(await resources.byId("res_2"), undefined);
        equal(await resources.content("res_2"), undefined);
      });
    },
  },
  {
    name: "large content comes back whole",
    run: async (store) => {
      const content = "0123456789é".repeat(300_000);
      const bytes = Buffer.byteLength(content);
      await write(store, ({ resources }) =>
        resources.put(
          { id: "res_1", type: "image/png", encoding: "base64", bytes, createdBy: "alice", createdAt: T0 },
          content,
          "alice",
        ),
      );
      equal((await store.read((reads) => reads.resources.content("res_1"))) === content, true);
      equal((await store.read((reads) => reads.resources.byId("res_1")))?.encoding, "base64");
    },
  },
  {
    name: "a causal tree is absent until it is saved, and saving replaces it",
    run: async (store) => {
      equal(await store.read((reads) => reads.causal.tree("msg_1")), undefined);
      const tree = { ...newTree("msg_1"), messages: 3, turns: 2, tokens: 900, maxDepth: 2 };
      await write(store, ({ causal }) => causal.save(tree));
      const tripped = { ...tree, tripped: { reason: "too long", at: T0 } };
      await write(store, async ({ causal }) => {
        deepEqual(await causal.tree("msg_1"), tree);
        await causal.save(tripped);
      });
      deepEqual(await store.read((reads) => reads.causal.tree("msg_1")), tripped);
    },
  },
  {
    name: "events are numbered without gaps and can be read on from any number [store.events]",
    run: async (store, provider) => {
      const log = provider === "memory" ? "ephemeral" : "durable";
      const at = (seq: number): EventCursor => ({ durable: 0, ephemeral: 0, [log]: seq });
      const last = () => store.read((reads) => reads.events.last());
      deepEqual(await last(), at(0));
      deepEqual(await store.read((reads) => reads.events.after(at(0), 10)), { events: [], cursor: at(0) });
      const recorded = await Promise.all(
        Array.from({ length: 25 }, (_, n) =>
          write(store, ({ appendEvent }) =>
            appendEvent({ type: "message.posted", space: "@review:main", message: `msg_${n}` }, T0 - n),
          ),
        ),
      );
      deepEqual(
        recorded.map(({ seq }) => seq),
        recorded.map((_, n) => n + 1),
      );
      deepEqual(recorded[3], {
        type: "message.posted",
        space: "@review:main",
        message: "msg_3",
        seq: 4,
        at: T0 - 3,
        ...(provider === "memory" ? { isEphemeral: true } : {}),
      });
      deepEqual(await last(), at(25));
      const resumed: unknown[] = [];
      for (let page, cursor = at(7); page?.events.length !== 0; cursor = page.cursor) {
        page = await store.read((reads) => reads.events.after(cursor, 4));
        resumed.push(...page.events);
      }
      deepEqual(resumed, recorded.slice(7));
      const until = await store.read((reads) => reads.events.after(at(7), 4, at(9)));
      deepEqual(until, { events: recorded.slice(7, 9), cursor: at(9) });
    },
  },
];
