import { deepEqual, equal, ok } from "node:assert/strict";
import type { NodeRecord } from "../../ports/store/cluster/node.ts";
import { T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

export const nodeCases: readonly StoreCase[] = [
  {
    name: "a node comes back as it joined, beats until it is replaced, and leaves",
    run: async (store) => {
      const a = node("a", { labels: ["gpu"], engines: ["sdk", "mock"], capacity: 3, definitions: { alice: "f00" } });
      await write(store, async ({ nodes }) => {
        await nodes.put(node("b"));
        await nodes.put(a);
      });
      deepEqual(await store.read(({ nodes }) => nodes.list()), [a, node("b")]);
      deepEqual(await store.read(({ nodes }) => nodes.byInstance("own_a")), a);
      equal(await store.read(({ nodes }) => nodes.byInstance("own_c")), undefined);

      equal(await write(store, ({ nodes }) => nodes.beat("own_a", T0 + 5)), true);
      await write(store, ({ nodes }) => nodes.leave("own_b", T0 + 6));
      const again = node("a", { instance: "own_a2" });
      await write(store, ({ nodes }) => nodes.put(again));
      equal(await write(store, ({ nodes }) => nodes.beat("own_a", T0 + 9)), false);
      deepEqual(await store.read(({ nodes }) => nodes.list()), [again, node("b", { leftAt: T0 + 6 })]);
      await write(store, ({ nodes }) => nodes.remove("a"));
      deepEqual(await store.read(async ({ nodes }) => (await nodes.list()).map(({ name }) => name)), ["b"]);
    },
  },
  {
    name: "a worktree is on one node",
    run: async (store) => {
      equal(await store.read(({ nodes }) => nodes.pinned("alice@review.main")), undefined);
      await write(store, ({ nodes }) => nodes.pin("alice@review.main", "a"));
      await write(store, ({ nodes }) => nodes.pin("alice@review.main", "b"));
      equal(await store.read(({ nodes }) => nodes.pinned("alice@review.main")), "b");
    },
  },
  {
    name: "the time of the store is a number of milliseconds and does not go back between two transactions",
    run: async (store) => {
      const first = await store.read((reads) => reads.time());
      const second = await write(store, (writes) => writes.time());
      ok(Number.isSafeInteger(first));
      ok(second >= first, `${second} came after ${first}`);
    },
  },
];

function node(name: string, fields: Partial<NodeRecord> = {}): NodeRecord {
  return {
    name,
    instance: `own_${name}`,
    machine: `machine of ${name}`,
    labels: [],
    engines: [],
    capacity: null,
    version: "1.0.0",
    definitions: {},
    startedAt: T0,
    beatAt: T0,
    leaseMs: 10_000,
    leftAt: null,
    ...fields,
  };
}
