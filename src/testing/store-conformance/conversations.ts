import { deepEqual } from "node:assert/strict";
import type { Store } from "../../ports/store/store.ts";
import { message, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

export const conversationCases: readonly StoreCase[] = [
  {
    name: "agents are behind while they have direct messages after the last one recorded",
    run: async (store) => {
      deepEqual(await behind(store), []);
      const seqs = await write(store, async ({ messages }) => {
        const found: number[] = [];
        for (const [index, space] of ["zoe", "@review:main", "alice", "Bob", "alice", "@zoe:main"].entries()) {
          found.push(await messages.append(message(`msg_${index}`, { space }), null));
        }
        return found;
      });
      const [zoe = 0, , first = 0, bob = 0, last = 0] = seqs;
      deepEqual(await behind(store), ["Bob", "alice", "zoe"]);
      deepEqual(await store.read((reads) => reads.conversations.recorded("alice")), { seq: 0, mark: null });
      await write(store, async ({ conversations }) => {
        await conversations.setRecorded("zoe", { seq: zoe, mark: null });
        await conversations.setRecorded("Bob", { seq: bob, mark: null });
        await conversations.setRecorded("alice", { seq: first, mark: null });
      });
      deepEqual(await behind(store), ["alice"]);
      await write(store, ({ conversations }) => conversations.setRecorded("alice", { seq: last, mark: null }));
      deepEqual(await behind(store), []);
    },
  },
  {
    name: "what was recorded is never taken back",
    run: async (store) => {
      const set = (seq: number, mark: string | null) =>
        write(store, ({ conversations }) => conversations.setRecorded("alice", { seq, mark }));
      await set(7, "seven");
      await set(3, "three");
      deepEqual(await store.read((reads) => reads.conversations.recorded("alice")), { seq: 7, mark: "seven" });
      await set(8, null);
      deepEqual(await store.read((reads) => reads.conversations.recorded("alice")), { seq: 8, mark: null });
    },
  },
];

function behind(store: Store): Promise<string[]> {
  return store.read((reads) => reads.conversations.behind());
}
