import { deepEqual, equal, rejects } from "node:assert/strict";
import { seededRandom } from "../../kernel/random.ts";
import type { MessagePage } from "../../ports/store/message.ts";
import { message, T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

export const messageCases: readonly StoreCase[] = [
  {
    name: "a message comes back as it was accepted",
    run: async (store) => {
      const whole = message("msg_2", {
        space: "alice",
        sender: "bob",
        kind: "notice",
        addressee: "alice",
        resource: "res_1",
        mentions: ["carol", "dave"],
        root: "msg_1",
        cause: "msg_1",
        depth: 3,
        run: "run_1",
      });
      const seq = await write(store, (writes) => writes.messages.append(whole, null));
      deepEqual(await store.read((reads) => reads.messages.byId("msg_2")), { ...whole, seq });
      equal(await store.read((reads) => reads.messages.byId("msg_9")), undefined);
    },
  },
  {
    name: "the order is that of acceptance, whatever the clock and the ids say [message.sequence]",
    run: async (store) => {
      const hour = 3_600_000;
      const times = [T0, T0 + hour, T0 - hour, T0 + 10 * 365 * 24 * hour, T0 - hour, T0];
      for (const [n, createdAt] of times.entries()) {
        await write(store, (writes) => writes.messages.append(message(`msg_${9 - n}`, { createdAt }), null));
      }
      const page = await store.read((reads) => reads.messages.page({ space: "@review:main", limit: 10 }));
      deepEqual(
        page.map(({ id }) => id),
        ["msg_9", "msg_8", "msg_7", "msg_6", "msg_5", "msg_4"],
      );
      deepEqual(
        page.map(({ seq }) => seq),
        page.map(({ seq }) => seq).toSorted((a, b) => a - b),
      );
      deepEqual(
        page.map(({ createdAt }) => createdAt),
        times,
      );
    },
  },
  {
    name: "an idempotency key names one message of one sender",
    run: async (store) => {
      await write(store, async ({ messages }) => {
        await messages.append(message("msg_1"), "k");
        await messages.append(message("msg_2", { sender: "alice" }), "k");
        await messages.append(message("msg_3"), "other");
      });
      const find = (sender: string, key: string) =>
        store.read(async (reads) => (await reads.messages.byIdempotencyKey(sender, key))?.id);
      equal(await find("user", "k"), "msg_1");
      equal(await find("alice", "k"), "msg_2");
      equal(await find("bob", "k"), undefined);
      await rejects(
        write(store, ({ messages }) => messages.append(message("msg_4"), "k")),
        Error,
      );
      equal(await store.read((reads) => reads.messages.byId("msg_4")), undefined);
    },
  },
  {
    name: "a page is the newest that match, or with `after` the oldest; always oldest first, of one space",
    run: async (store) => {
      const seqs = await write(store, async ({ messages }) => {
        const all: number[] = [];
        for (let n = 1; n <= 6; n += 1) {
          all.push(
            await messages.append(message(`msg_${n}`, { body: n % 2 === 0 ? `Even É ${n}` : `odd ${n}` }), null),
          );
          await messages.append(message(`msg_elsewhere_${n}`, { space: "alice" }), null);
        }
        return all;
      });
      const [, second, third, , fifth] = seqs;
      const page = (query: Omit<MessagePage, "space">) =>
        store.read(async (reads) =>
          (await reads.messages.page({ space: "@review:main", ...query })).map(({ id }) => Number(id.slice(4))),
        );
      deepEqual(await page({ limit: 10 }), [1, 2, 3, 4, 5, 6]);
      deepEqual(await page({ limit: 2 }), [5, 6]);
      deepEqual(await page({ limit: 2, before: fifth ?? 0 }), [3, 4]);
      deepEqual(await page({ limit: 2, after: second ?? 0 }), [3, 4]);
      deepEqual(await page({ limit: 2, after: 0 }), [1, 2]);
      deepEqual(await page({ limit: 9, after: second ?? 0, before: fifth ?? 0 }), [3, 4]);
      deepEqual(await page({ limit: 2, contains: "even" }), [4, 6]);
      deepEqual(await page({ limit: 2, contains: "ODD", after: 0 }), [1, 3]);
      deepEqual(await page({ limit: 9, contains: "odd", after: third ?? 0 }), [5]);
      deepEqual(await page({ limit: 9, contains: "even é" }), []);
      deepEqual(await page({ limit: 9, contains: "%" }), []);
      deepEqual(await page({ limit: 9, after: seqs.at(-1) ?? 0 }), []);
    },
  },
  {
    name: "text is data: it comes back as it was and changes nothing else [store.bound-parameters]",
    run: async (store) => {
      await write(store, ({ messages }) => messages.append(message("msg_before", { space: "calm" }), null));
      const hostile = ["'; DROP TABLE message; --", '" OR 1=1 --', "%", "_", "?1", ":a", "a\u0000b", "😀", "\\'", "\n"];
      const random = seededRandom(20_260_214);
      const text = (): string => (random() < 0.5 ? (hostile[randomBelow(hostile.length)] ?? "") : randomText());
      const randomBelow = (end: number): number => Math.floor(random() * end);
      const randomText = (): string =>
        String.fromCodePoint(
          ...Array.from({ length: randomBelow(12) }, () => randomBelow(random() < 0.5 ? 0x80 : 0x110000)),
        ).toWellFormed();
      for (let n = 1; n <= 100; n += 1) {
        const [id, body, space, sender] = [`msg_${n}`, text(), text(), text()];
        const posted = message(id, { body, space, sender, mentions: [sender] });
        const seq = await write(store, ({ messages }) => messages.append(posted, `${n}${body}`));
        await store.read(async ({ messages }) => {
          deepEqual(await messages.byId(id), { ...posted, seq });
          deepEqual(await messages.byIdempotencyKey(sender, `${n}${body}`), { ...posted, seq });
          deepEqual(
            (await messages.page({ space, limit: 1 })).map((each) => each.id),
            [id],
          );
        });
      }
      equal(await store.read(async ({ messages }) => (await messages.page({ space: "calm", limit: 9 })).length), 1);
    },
  },
];
