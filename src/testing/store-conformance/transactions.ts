import { deepEqual, equal, ok as assert, partialDeepStrictEqual, rejects } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Store, StoreReads } from "../../ports/store/store.ts";
import { message, T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

/** Order, isolation, undoing and closing of transactions. */
export const transactionCases: readonly StoreCase[] = [
  {
    name: "transactions happen one after another, in the order they were requested, each on the state before",
    run: async (store) => {
      const seen = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          write(store, async (writes) => {
            const { durable: before } = await writes.events.last();
            await writes.appendEvent({ type: "todo.changed", agent: `a${n}` }, T0);
            return { n, before, after: (await writes.events.last()).durable };
          }),
        ),
      );
      deepEqual(
        seen,
        seen.map((_, n) => ({ n, before: n, after: n + 1 })),
      );
    },
  },
  {
    name: "a transaction sees what it wrote itself, and once it is answered so does every read",
    run: async (store) => {
      const inside = await write(store, async (writes) => {
        await writes.messages.append(message("msg_1"), null);
        return ids(writes);
      });
      deepEqual(inside, ["msg_1"]);
      deepEqual(await store.read(ids), ["msg_1"]);
    },
  },
  {
    name: "a read that starts while a transaction is at work sees all of it or nothing",
    run: async (store) => {
      const reads: Promise<string[]>[] = [];
      const refused = store.transact(async (writes) => {
        await writes.messages.append(message("msg_undone"), null);
        reads.push(store.read(ids));
        return refuse("conflict", "no");
      });
      const accepted = write(store, async (writes) => {
        await writes.messages.append(message("msg_1"), null);
        reads.push(store.read(ids));
        await writes.messages.append(message("msg_2"), null);
      });
      await Promise.all([refused, accepted]);
      for (const seen of await Promise.all(reads))
        assert([[], ["msg_1", "msg_2"]].some((each) => isDeepStrictEqual(each, seen)));
      deepEqual(await store.read(ids), ["msg_1", "msg_2"]);
    },
  },
  {
    name: "a refusal undoes its own work and nothing of its neighbours [store.rollback]",
    run: async (store) => {
      const results = await Promise.all([
        append(store, "msg_1"),
        store.transact(async (writes) => {
          await writes.messages.append(message("msg_undone"), "key");
          await writes.appendEvent({ type: "todo.changed", agent: "alice" }, T0);
          return refuse("conflict", "no");
        }),
        append(store, "msg_2"),
      ]);
      deepEqual(
        results.map(({ ok: accepted }) => accepted),
        [true, false, true],
      );
      deepEqual(await store.read(ids), ["msg_1", "msg_2"]);
      deepEqual(await store.read((reads) => reads.events.last()), { durable: 0, ephemeral: 0 });
      equal(await store.read((reads) => reads.messages.byIdempotencyKey("user", "key")), undefined);
    },
  },
  {
    name: "work that throws is undone alone, and its error reaches its caller alone [store.rollback]",
    run: async (store) => {
      const bug = new Error("bug");
      const results = await Promise.allSettled([
        append(store, "msg_1"),
        store.transact(async (writes) => {
          await writes.messages.append(message("msg_undone"), null);
          throw bug;
        }),
        append(store, "msg_1"), // the id is taken: the storage engine itself objects
        append(store, "msg_2"),
      ]);
      deepEqual(
        results.map(({ status }) => status),
        ["fulfilled", "rejected", "rejected", "fulfilled"],
      );
      partialDeepStrictEqual(results[1], { reason: bug });
      deepEqual(await store.read(ids), ["msg_1", "msg_2"]);
    },
  },
  {
    name: "a nested part that is refused or throws is undone alone, at any depth [store.rollback]",
    run: async (store) => {
      await write(store, async (writes) => {
        const add = (id: string) => writes.messages.append(message(id), null);
        await add("msg_1");
        const middle = await writes.nested(async () => {
          await add("msg_2");
          const inner = await writes.nested(async () => {
            await add("msg_undone_1");
            return refuse("conflict", "no");
          });
          equal(inner.ok, false);
          await add("msg_3");
          return ok(undefined);
        });
        equal(middle.ok, true);
        const failed = writes.nested(async () => {
          await add("msg_undone_2");
          throw new Error("bug");
        });
        await rejects(failed, { message: "bug" });
        const outerRefused = await writes.nested(async () => {
          await writes.nested(async () => ok(await add("msg_undone_3")));
          return refuse("conflict", "no");
        });
        equal(outerRefused.ok, false);
        deepEqual(await ids(writes), ["msg_1", "msg_2", "msg_3"]);
        await add("msg_4");
      });
      deepEqual(await store.read(ids), ["msg_1", "msg_2", "msg_3", "msg_4"]);
    },
  },
  {
    name: "a refusal undoes its own work and nothing of what was requested meanwhile [store.rollback]",
    run: async (store) => {
      const meanwhile: Promise<unknown>[] = [];
      const refused = await store.transact(async (writes) => {
        await writes.messages.append(message("msg_undone"), null);
        if (meanwhile.length === 0) meanwhile.push(append(store, "msg_1"));
        return refuse("conflict", "no");
      });
      equal(refused.ok, false);
      partialDeepStrictEqual(await Promise.all(meanwhile), [{ ok: true }]);
      deepEqual(await store.read(ids), ["msg_1"]);
    },
  },
  {
    name: "a refusal undoes the nested parts it had accepted, and the next transaction is whole [store.rollback]",
    run: async (store) => {
      const refused = store.transact(async (writes) => {
        await writes.nested(async () => ok(await writes.messages.append(message("msg_undone"), null)));
        return refuse("conflict", "no");
      });
      const next = append(store, "msg_1");
      equal((await refused).ok, false);
      await next;
      deepEqual(await store.read(ids), ["msg_1"]);
    },
  },
  {
    name: "a transaction requested when work is written sees that work, and its result means that both are stored",
    run: async (store) => {
      const later: Promise<{ readonly seen: string[]; readonly stored: string[] }>[] = [];
      const written = (): void => {
        const seen = write(store, ids);
        later.push(seen.then(async (inside) => ({ seen: inside, stored: await store.read(ids) })));
      };
      await store.transact(async (writes) => ok(await writes.messages.append(message("msg_1"), null)), { written });
      deepEqual(await Promise.all(later), [{ seen: ["msg_1"], stored: ["msg_1"] }]);
    },
  },
  {
    name: "what is refused was never written, and what follows written work is undone alone [store.rollback]",
    run: async (store) => {
      const called: string[] = [];
      let runs = 0;
      const followers: Promise<unknown>[] = [];
      const follow = (): void => {
        called.push("msg_1");
        if (followers.length > 0) return;
        followers.push(
          append(store, "msg_2"),
          store.transact(
            async (writes) => {
              await writes.messages.append(message("msg_undone"), null);
              return refuse("conflict", "no");
            },
            { written: () => called.push("msg_undone") },
          ),
          store.transact(
            async (writes) => {
              runs += 1;
              return ok(await writes.messages.append(message("msg_3"), null));
            },
            { once: true },
          ),
        );
      };
      await store.transact(async (writes) => ok(await writes.messages.append(message("msg_1"), null)), {
        written: follow,
      });
      partialDeepStrictEqual(await Promise.all(followers), [{ ok: true }, { ok: false }, { ok: true }]);
      deepEqual(new Set(called), new Set(["msg_1"]));
      equal(runs, 1);
      deepEqual(await store.read(ids), ["msg_1", "msg_2", "msg_3"]);
    },
  },
  {
    name: "concurrent sends are all stored, each once, in one order for all [store.concurrent-sends]",
    run: async (store) => {
      const sent = await Promise.all(
        Array.from({ length: 1_200 }, (_, n) =>
          store.transact(async (writes) => {
            const seq = await writes.messages.append(message(`msg_${n}`), null);
            return n % 7 === 3 ? refuse("conflict", "no") : ok({ id: `msg_${n}`, seq });
          }),
        ),
      );
      const stored = sent.flatMap((result) => (result.ok ? [result.value] : []));
      equal(stored.length, sent.length - sent.filter((_, n) => n % 7 === 3).length);
      const readers = await Promise.all([1, 2, 3].map(() => store.read((reads) => page(reads, 5_000))));
      for (const read of readers)
        deepEqual(
          read,
          stored.toSorted((a, b) => a.seq - b.seq),
        );
    },
  },
  {
    name: "closing finishes what was accepted, refuses what comes later, and happens once",
    run: async (store) => {
      const accepted = append(store, "msg_1");
      const read = store.read(ids);
      const closed = Promise.all([store[Symbol.asyncDispose](), store[Symbol.asyncDispose]()]);
      const late = { code: "store_closed" };
      await rejects(append(store, "msg_2"), late);
      await rejects(store.read(ids), late);
      equal((await accepted).ok, true);
      await read;
      await closed;
      await store[Symbol.asyncDispose]();
      await rejects(append(store, "msg_2"), late);
      await rejects(store.findDamage(), late);
    },
  },
  {
    name: "a store that was used finds nothing wrong with itself [store.integrity]",
    run: async (store) => {
      deepEqual(await store.findDamage(), []);
      await append(store, "msg_1");
      deepEqual(await store.findDamage(), []);
    },
  },
];

function append(store: Store, id: string) {
  return store.transact(async (writes) => ok(await writes.messages.append(message(id), null)));
}

async function page(reads: StoreReads, limit: number) {
  return (await reads.messages.page({ space: "@review:main", limit })).map(({ id, seq }) => ({ id, seq }));
}

async function ids(reads: StoreReads): Promise<string[]> {
  return (await page(reads, 100)).map(({ id }) => id);
}
