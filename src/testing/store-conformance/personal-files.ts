import { deepEqual, equal } from "node:assert/strict";
import { withVersion } from "../../domain/soul/soul-history.ts";
import type { Clock } from "../../kernel/clock.ts";
import { ok } from "../../kernel/result.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import type { Store } from "../../ports/store/store.ts";
import { createStorePersonal } from "../../storage/personal/store-personal.ts";
import { T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const PLACE = { agent: "alice", folder: "memory", name: "learned.yaml" };

export const personalFileCases: readonly StoreCase[] = [
  {
    name: "a personal file keeps its text to the byte, and its id until it is made again",
    run: async (store) => {
      const text = "\uFEFFa: 1\r\n# 日本 \u0000 end without a line end";
      await write(store, ({ personalFiles }) => personalFiles.put(PLACE, text, { id: "fil_1", at: T0 }));
      const first = await store.read(({ personalFiles }) => personalFiles.find(PLACE));
      equal(first?.content, text);
      deepEqual([first?.id, first?.bytes, first?.modifiedAt], ["fil_1", Buffer.byteLength(text), T0]);
      await write(store, ({ personalFiles }) => personalFiles.put(PLACE, "a: 2\n", { id: "fil_2", at: T0 + 1 }));
      const second = await store.read(({ personalFiles }) => personalFiles.find(PLACE));
      deepEqual([second?.id, second?.stamp === first?.stamp], ["fil_1", false]);

      await write(store, ({ personalFiles }) => personalFiles.move(PLACE, { folder: "memory/old", name: "a.yaml" }));
      deepEqual(await store.read(({ personalFiles }) => personalFiles.list("alice", "memory")), []);
      await write(store, ({ personalFiles }) =>
        personalFiles.put({ ...PLACE, agent: "bob" }, "b", { id: "x", at: T0 }),
      );
      const all = await store.read(({ personalFiles }) => personalFiles.all());
      deepEqual(
        all.map(({ agent, folder, name }) => [agent, folder, name]),
        [
          ["alice", "memory/old", "a.yaml"],
          ["bob", "memory", "learned.yaml"],
        ],
      );
      await write(store, ({ personalFiles }) => personalFiles.removeAll("alice"));
      equal((await store.read(({ personalFiles }) => personalFiles.all())).length, 1);
    },
  },
  {
    name: "what one process remembers in the store another finds, and no write of either is lost",
    run: async (store) => {
      const [one, other] = [personal(store), personal(store)];
      await Promise.all([
        ...Array.from({ length: 4 }, (_, n) => one.memory.set(`one ${n}`, "x", { source: "alice" })),
        ...Array.from({ length: 4 }, (_, n) => other.memory.set(`other ${n}`, "y", { source: "alice" })),
        one.notes.add("the same title"),
        other.notes.add("the same title"),
        one.todo.add("first"),
        other.todo.add("second"),
      ]);
      const keys = async ({ memory }: PersonalContext) =>
        (await memory.list()).entries.map(({ key }) => key).toSorted();
      equal((await keys(one)).length, 8);
      deepEqual(await keys(one), await keys(other));
      const notes = await one.notes.list();
      equal(notes.ok && notes.value.length, 2);
      const todos = await other.todo.list();
      equal(todos.ok && todos.value.length, 2);
      deepEqual(await one.texts.files(), await other.texts.files());
    },
  },
  {
    name: "a conversation in the store is appended once, however often the call is repeated, and is archived",
    run: async (store) => {
      const [one, other] = [personal(store), personal(store)];
      const said = (text: string) => ({ sender: "user", text, at: T0 });
      const first = await one.conversations.append([said("hello")], null);
      const mark = first.ok ? first.value : null;
      await one.conversations.append([said("again")], mark);
      await other.conversations.append([said("again"), said("and more")], mark);
      const recent = await other.conversations.recent(10);
      deepEqual(recent.ok && recent.value.map(({ text }) => text), ["hello", "again", "and more"]);
      const archived = await other.conversations.archive();
      equal(archived.ok && archived.value.length, 1);
      await one.conversations.append([said("hello")], mark);
      const left = await one.conversations.recent(10);
      deepEqual(left.ok && left.value.map(({ text }) => text), ["hello"]);
    },
  },
  {
    name: "a soul in the store changes with its transaction, and not over a change of somebody else",
    run: async (store) => {
      const [one, other] = [personal(store), personal(store)];
      const learn = (item: string) =>
        one.soul.stage((state) => ok(withVersion(state, [{ kind: "add", trait: "principles", item }], ABOUT)));
      const [first, second] = [await learn("Be brief"), await learn("Be long")];
      if (!first.ok || !second.ok) throw new Error("a soul could not be staged");
      await store.transact(async (writes) => first.value.publish(writes));
      const late = await store.transact(async (writes) => second.value.publish(writes));
      equal(!late.ok && late.error.code, "stale_revision");
      await other.soul.refresh();
      deepEqual(other.soul.read().state.learned.add, { principles: ["Be brief"] });
    },
  },
];

const ABOUT = { at: "2026-01-01T00:00:00.000Z", by: "user", why: "Because.", evidence: [], proposal: null };

let ids = 0;

function personal(store: Store): PersonalContext {
  const clock = { now: () => T0 } as Clock;
  return createStorePersonal({ store, agent: "alice", clock, newId: (prefix) => `${prefix}_${(ids += 1)}` });
}
