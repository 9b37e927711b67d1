import { deepEqual, equal } from "node:assert/strict";
import type { Store } from "../../ports/store/store.ts";
import type { SummaryRecord } from "../../ports/store/derived/summary.ts";
import { message, T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const SPACE = "@review:main";

function summary(level: number, from: number, to: number, more: Partial<SummaryRecord> = {}): SummaryRecord {
  return {
    space: SPACE,
    level,
    from,
    to,
    messages: to - from + 1,
    text: `- ${from} bob: something`,
    model: null,
    failure: null,
    attempts: 0,
    senders: ["bob", "user"],
    fingerprint: "f",
    createdAt: T0,
    ...more,
  };
}

export const summaryCases: readonly StoreCase[] = [
  {
    name: "summaries of a higher level cover those below them",
    run: async (store) => {
      const low = [summary(0, 1, 50), summary(0, 51, 100), summary(0, 101, 150)];
      await put(store, [...low, summary(0, 1, 50, { space: "@other:main" })]);
      deepEqual(await cover(store), low);
      const high = summary(1, 1, 100, { text: "- both", model: "m" });
      await put(store, [high]);
      deepEqual(await cover(store), [high, low[2]]);
      deepEqual(
        await store.read(({ summaries }) => summaries.ofLevel({ space: SPACE, level: 0, after: 1, limit: 1 })),
        [low[1]],
      );
      await put(store, [summary(0, 101, 150, { text: "- again", failure: "no answer", attempts: 2 })]);
      equal((await cover(store)).at(-1)?.text, "- again");
      const failed = (attempts: number) => store.read(({ summaries }) => summaries.failed(SPACE, attempts));
      deepEqual(
        (await failed(3)).map(({ from }) => from),
        [101],
      );
      deepEqual(await failed(2), []);
      await write(store, ({ summaries }) => summaries.removeFrom(SPACE, 100));
      deepEqual(await cover(store), [low[0]]);
      await write(store, ({ summaries }) => summaries.removeFrom(SPACE, 0));
      deepEqual(await cover(store), []);
      equal((await store.read(({ summaries }) => summaries.cover("@other:main"))).length, 1);
    },
  },
  {
    name: "messages are counted by space, and direct ones since their conversation began",
    run: async (store) => {
      await write(store, async ({ messages, conversations }) => {
        for (const [index, space] of [SPACE, "alice", SPACE, "alice", "@a:main"].entries()) {
          await messages.append(message(`msg_${index}`, { space }), null);
        }
        await conversations.begin("alice");
        await messages.append(message("msg_later", { space: "alice" }), null);
      });
      const count = (space: string) => store.read(({ messages }) => messages.count(space));
      deepEqual([await count(SPACE), await count("alice"), await count("@b:main")], [2, 1, 0]);
    },
  },
  {
    name: "a conversation that begins again has no summaries, and a cleared one says when",
    run: async (store) => {
      await put(store, [summary(0, 1, 50, { space: "alice" })]);
      await write(store, ({ conversations }) => conversations.begin("alice"));
      deepEqual(await store.read(({ summaries }) => summaries.cover("alice")), []);
      const clearedAt = () => store.read(({ conversations }) => conversations.clearedAt("alice"));
      equal(await clearedAt(), 0);
      await write(store, ({ conversations }) => conversations.setCleared("alice", T0));
      equal(await clearedAt(), T0);
    },
  },
];

async function put(store: Store, records: readonly SummaryRecord[]): Promise<void> {
  await write(store, async ({ summaries }) => {
    for (const record of records) await summaries.put(record);
  });
}

function cover(store: Store): Promise<SummaryRecord[]> {
  return store.read(({ summaries }) => summaries.cover(SPACE));
}
