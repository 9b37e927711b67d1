import fc from "fast-check";
import { expect } from "vitest";
import type { MessagePage } from "../../../../src/ports/store/message.ts";
import { runs } from "../../../property.ts";
import type { StoreCase } from "../store-conformance.ts";
import { message, T0, write } from "../store-records.ts";

export const messageCases: readonly StoreCase[] = [
  {
    name: "a message comes back as it was accepted",
    run: async (open) => {
      await using store = await open();
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
      expect(await store.read((reads) => reads.messages.byId("msg_2"))).toEqual({ ...whole, seq });
      expect(await store.read((reads) => reads.messages.byId("msg_9"))).toBeUndefined();
    },
  },
  {
    name: "the order is that of acceptance, whatever the clock and the ids say [message.sequence]",
    run: async (open) => {
      await using store = await open();
      const hour = 3_600_000;
      const times = [T0, T0 + hour, T0 - hour, T0 + 10 * 365 * 24 * hour, T0 - hour, T0];
      for (const [n, createdAt] of times.entries()) {
        await write(store, (writes) => writes.messages.append(message(`msg_${9 - n}`, { createdAt }), null));
      }
      const page = await store.read((reads) => reads.messages.page({ space: "@review:main", limit: 10 }));
      expect(page.map(({ id }) => id)).toEqual(["msg_9", "msg_8", "msg_7", "msg_6", "msg_5", "msg_4"]);
      expect(page.map(({ seq }) => seq)).toEqual(page.map(({ seq }) => seq).toSorted((a, b) => a - b));
      expect(page.map(({ createdAt }) => createdAt)).toEqual(times);
    },
  },
  {
    name: "an idempotency key names one message of one sender",
    run: async (open) => {
      await using store = await open();
      await write(store, async ({ messages }) => {
        await messages.append(message("msg_1"), "k");
        await messages.append(message("msg_2", { sender: "alice" }), "k");
        await messages.append(message("msg_3"), "other");
      });
      const find = (sender: string, key: string) =>
        store.read(async (reads) => (await reads.messages.byIdempotencyKey(sender, key))?.id);
      expect(await find("user", "k")).toBe("msg_1");
      expect(await find("alice", "k")).toBe("msg_2");
      expect(await find("bob", "k")).toBeUndefined();
      await expect(write(store, ({ messages }) => messages.append(message("msg_4"), "k"))).rejects.toBeInstanceOf(
        Error,
      );
      expect(await store.read((reads) => reads.messages.byId("msg_4"))).toBeUndefined();
    },
  },
  {
    name: "a page is the newest that match, or with `after` the oldest; always oldest first, of one space",
    run: async (open) => {
      await using store = await open();
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
      expect(await page({ limit: 10 })).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await page({ limit: 2 })).toEqual([5, 6]);
      expect(await page({ limit: 2, before: fifth ?? 0 })).toEqual([3, 4]);
      expect(await page({ limit: 2, after: second ?? 0 })).toEqual([3, 4]);
      expect(await page({ limit: 2, after: 0 })).toEqual([1, 2]);
      expect(await page({ limit: 9, after: second ?? 0, before: fifth ?? 0 })).toEqual([3, 4]);
      expect(await page({ limit: 2, contains: "even" })).toEqual([4, 6]);
      expect(await page({ limit: 2, contains: "ODD", after: 0 })).toEqual([1, 3]);
      expect(await page({ limit: 9, contains: "odd", after: third ?? 0 })).toEqual([5]);
      expect(await page({ limit: 9, contains: "even é" })).toEqual([]);
      expect(await page({ limit: 9, contains: "%" })).toEqual([]);
      expect(await page({ limit: 9, after: seqs.at(-1) ?? 0 })).toEqual([]);
    },
  },
  {
    name: "text is data: it comes back as it was and changes nothing else [store.bound-parameters]",
    run: async (open) => {
      await using store = await open();
      await write(store, ({ messages }) => messages.append(message("msg_before", { space: "calm" }), null));
      const hostile = ["'; DROP TABLE message; --", '" OR 1=1 --', "%", "_", "?1", ":a", "a\u0000b", "😀", "\\'", "\n"];
      const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary" }), fc.string()).map(wellFormed);
      let n = 0;
      await fc.assert(
        fc.asyncProperty(text, text, text, async (body, space, sender) => {
          const id = `msg_${(n += 1)}`;
          const given = message(id, { body, space, sender, mentions: [sender] });
          const seq = await write(store, ({ messages }) => messages.append(given, `${n}${body}`));
          await store.read(async ({ messages }) => {
            expect(await messages.byId(id)).toEqual({ ...given, seq });
            expect(await messages.byIdempotencyKey(sender, `${n}${body}`)).toEqual({ ...given, seq });
            expect((await messages.page({ space, limit: 1 })).map((each) => each.id)).toEqual([id]);
          });
        }),
        runs(100),
      );
      expect(await store.read(async ({ messages }) => (await messages.page({ space: "calm", limit: 9 })).length)).toBe(
        1,
      );
    },
  },
];

function wellFormed(text: string): string {
  return text.toWellFormed();
}
