import { deepEqual } from "node:assert/strict";
import type { Store } from "../../ports/store/store.ts";
import { message, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const KEY = "@review:main";
const marks = (store: Store) => store.read((reads) => reads.readMarks.list("user"));

export const readingCases: readonly StoreCase[] = [
  {
    name: "a text is found in all spaces, newest first, and each search looks at so many messages at most",
    spaces: [],
    run: async (store) => {
      await write(store, async ({ messages }) => {
        for (let n = 1; n <= 9; n += 1) {
          const body = n % 3 === 0 ? `The Loop of ${n}` : "nothing";
          await messages.append(message(`msg_${n}`, { body, space: n < 5 ? "alice" : KEY }), null);
        }
      });
      const search = (before?: number, limit = 5, most = 4) =>
        store.read((reads) =>
          reads.messages.search({ contains: "loop", most, limit, ...(before === undefined ? {} : { before }) }),
        );
      const first = await search();
      deepEqual(
        first.messages.map(({ id }) => id),
        ["msg_9", "msg_6"],
      );
      const second = await search(first.next ?? 0);
      deepEqual(
        second.messages.map(({ id, space }) => [id, space]),
        [["msg_3", "alice"]],
      );
      deepEqual(await search(second.next ?? 0), { messages: [], next: null });
      const one = await search(undefined, 1, 100);
      deepEqual([one.messages.length, one.next], [1, one.messages[0]?.seq]);
    },
  },
  {
    name: "what is new counts the words of others, and those that mention the reader",
    run: async (store) => {
      const seqs = await write(store, async ({ messages }) => {
        const appended: number[] = [];
        for (const [n, fields] of [
          { sender: "alice", body: "one" },
          { sender: "user", body: "two" },
          { sender: "alice", body: "three, @User" },
        ].entries()) {
          appended.push(await messages.append(message(`msg_${n}`, fields), null));
        }
        return appended;
      });
      const countNew = (after: number) =>
        store.read((reads) => reads.messages.countNew({ space: KEY, after, reader: "user", most: 10 }));
      deepEqual(await countNew(0), { messages: 2, mentions: 1 });
      deepEqual(await countNew(seqs[0] ?? 0), { messages: 1, mentions: 1 });
      deepEqual(await countNew(seqs[2] ?? 0), { messages: 0, mentions: 0 });
    },
  },
  {
    name: "a mark of what was read moves only forward",
    run: async (store) => {
      await write(store, ({ readMarks }) => readMarks.advance(KEY, "user", 5));
      deepEqual(await write(store, ({ readMarks }) => readMarks.advance(KEY, "user", 3)), 5);
      await write(store, ({ readMarks }) => readMarks.advance("@other:main", "user", 7));
      await write(store, ({ readMarks }) => readMarks.advance(KEY, "someone", 9));
      deepEqual(
        (await marks(store)).toSorted((a, b) => a.seq - b.seq),
        [
          { space: KEY, seq: 5 },
          { space: "@other:main", seq: 7 },
        ],
      );
    },
  },
];
