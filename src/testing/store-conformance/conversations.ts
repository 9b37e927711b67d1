import { deepEqual } from "node:assert/strict";
import { UNKNOWN_USAGE } from "../../domain/budget/usage.ts";
import type { Store } from "../../ports/store/store.ts";
import { delivery, message, run, T0, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

export const conversationCases: readonly StoreCase[] = [
  {
    name: "an agent is stopped until its stop is removed",
    run: async (store) => {
      const stop = { mailbox: "helper@review:main", at: T0 };
      await write(store, async ({ stops }) => {
        await stops.add({ ...stop, at: 1 });
        await stops.add(stop);
        await stops.add({ mailbox: "alice", at: T0 });
        await stops.remove("bob");
      });
      deepEqual(await store.read((reads) => reads.stops.ofMailbox("helper@review:main")), stop);
      deepEqual(await store.read((reads) => reads.stops.list()), [{ mailbox: "alice", at: T0 }, stop]);
      await write(store, ({ stops }) => stops.remove("alice"));
      deepEqual(await store.read((reads) => reads.stops.ofMailbox("alice")), undefined);
    },
  },
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
  {
    name: "a conversation that begins again hides what was said and done before",
    run: async (store) => {
      await say(store, "alice", "before");
      await write(store, ({ conversations }) => conversations.begin("alice"));
      deepEqual(await spoken(store, "alice"), { messages: [], transcript: null });
      deepEqual(await behind(store), []);
      await say(store, "alice", "after");
      deepEqual(await spoken(store, "alice"), { messages: ["after"], transcript: '["after",2]' });
      deepEqual(await behind(store), ["alice"]);
      deepEqual(await store.read(async (reads) => (await reads.messages.byId("before"))?.id), "before");
    },
  },
  {
    name: "direct messages placed in memory are apart from those on disk, and are not behind",
    run: async (store) => {
      await say(store, "alice", "on disk");
      await write(store, ({ conversations }) => conversations.place("alice", "memory"));
      deepEqual(await spoken(store, "alice"), { messages: [], transcript: null });
      await say(store, "alice", "in memory");
      deepEqual(await spoken(store, "alice"), { messages: ["in memory"], transcript: '["in memory",2]' });
      await write(store, ({ conversations }) => conversations.setRecorded("alice", { seq: 9, mark: null }));
      deepEqual(await behind(store), ["alice"]);
      await write(store, ({ conversations }) => conversations.place("alice", "disk"));
      deepEqual(await spoken(store, "alice"), { messages: ["on disk"], transcript: '["on disk",2]' });
      deepEqual(await store.read((reads) => reads.conversations.recorded("alice")), { seq: 0, mark: null });
    },
  },
  {
    name: "a promoted conversation is on disk under its new name, without what was there and without what was before",
    run: async (store) => {
      await say(store, "kept", "of an earlier one");
      await write(store, ({ conversations }) => conversations.place("draft", "memory"));
      await say(store, "draft", "of another draft");
      await write(store, ({ conversations }) => conversations.begin("draft"));
      await say(store, "draft", "one");
      await say(store, "draft", "two");
      await write(store, async ({ deliveries, messages }) => {
        const seq = (await messages.byId("two"))?.seq ?? 0;
        await deliveries.add(delivery("del_open", seq, { mailbox: "draft", space: "draft", awaited: true }));
      });
      await write(store, ({ conversations }) => conversations.promote("draft", "kept"));
      deepEqual(await spoken(store, "kept"), { messages: ["one", "two"], transcript: '["two",2]' });
      deepEqual(await spoken(store, "draft"), { messages: [], transcript: null });
      deepEqual(await behind(store), ["kept"]);
      await store.read(async ({ deliveries, messages }) => {
        const open = await deliveries.open({ space: "kept", limit: 9 });
        deepEqual(
          open.map(({ delivery: { id, mailbox, awaited }, message: { id: of } }) => [id, mailbox, awaited, of]),
          [["del_open", "kept", true, "two"]],
        );
        deepEqual((await messages.byId("one"))?.sender, "kept");
      });
      await write(store, ({ conversations }) => conversations.promote("nobody", "kept"));
      deepEqual((await spoken(store, "kept")).messages, ["one", "two"]);
    },
  },
];

let runsSoFar = 0;

/** A direct message that the agent said in a run of its own, which has ended. */
async function say(store: Store, agent: string, id: string): Promise<void> {
  runsSoFar += 1;
  const made = run(`run_${String(runsSoFar).padStart(6, "0")}`, { mailbox: agent, space: agent });
  await write(store, async ({ messages, runs }) => {
    await messages.append(message(id, { space: agent, sender: agent }), null);
    await runs.open(made);
    const step = { run: made.id, finishedAt: T0, wallMs: 0, usage: UNKNOWN_USAGE };
    await runs.checkpoint({ ...step, number: 1, transcript: JSON.stringify([id]), continues: false });
    await runs.checkpoint({ ...step, number: 2, transcript: "[2]", continues: true });
    await runs.end(made.id, { endedAt: T0, outcome: "answered", detail: null, reason: null });
  });
}

function spoken(store: Store, agent: string) {
  return store.read(async ({ messages, runs }) => ({
    messages: (await messages.page({ space: agent, limit: 9 })).map(({ id }) => id),
    transcript: await runs.lastTranscript({ mailbox: agent, agent, space: agent }),
  }));
}

function behind(store: Store): Promise<string[]> {
  return store.read((reads) => reads.conversations.behind());
}
