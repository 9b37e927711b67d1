import { deepEqual, equal, rejects } from "node:assert/strict";
import { newTree } from "../../domain/causal/budget.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Store, StoreWrites } from "../../ports/store/store.ts";
import { delivery, message, participant, run, T0, workspace, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const DISK = "@disk:main";
const MEMORY = "@memory:main";
const RETIRED_SPACES = 20;

/** Workspaces on disk and in memory, side by side in one store. */
export const bothKindsCases: readonly StoreCase[] = [
  {
    name: "a transaction covers workspaces on disk and in memory, and a refusal undoes it in both [store.rollback]",
    spaces: [],
    run: async (store) => {
      await openBoth(store);
      const both = async (writes: StoreWrites, id: string): Promise<void> => {
        for (const space of [DISK, MEMORY]) {
          await writes.messages.append(message(`${id} ${space}`, { space }), null);
          await writes.appendEvent({ type: "message.posted", space, message: `${id} ${space}` }, T0);
        }
      };
      const results = await Promise.all([
        store.transact(async (writes) => ok(await both(writes, "one"))),
        store.transact(async (writes) => {
          await both(writes, "undone");
          return refuse("conflict", "no");
        }),
        store.transact(async (writes) => {
          await writes.nested(async () => {
            await both(writes, "undone");
            return refuse("conflict", "no");
          });
          return ok(await both(writes, "two"));
        }),
      ]);
      deepEqual(
        results.map((result) => result.ok),
        [true, false, true],
      );
      for (const space of [DISK, MEMORY]) {
        const page = await store.read(({ messages }) => messages.page({ space, limit: 9 }));
        deepEqual(
          page.map(({ id, seq }) => [id, seq]),
          [
            [`one ${space}`, 1],
            [`two ${space}`, 2],
          ],
        );
      }
      const { events, cursor } = await store.read((reads) => reads.events.after({ durable: 1, ephemeral: 1 }, 9));
      deepEqual(cursor, { durable: 2, ephemeral: 2 });
      deepEqual(
        events.map((event) => [event.seq, event.isEphemeral === true]),
        [
          [2, false],
          [2, true],
        ],
      );
    },
  },
  {
    name: "a workspace in memory whose opening was refused is not there, and the one on disk under its name still is",
    spaces: [],
    run: async (store) => {
      await write(store, async ({ workspaces, messages }) => {
        await workspaces.open(workspace(DISK));
        await messages.append(message("msg_1", { space: DISK }), null);
      });
      const refused = await store.transact(async ({ workspaces }) => {
        await workspaces.open(workspace(DISK, { provider: "memory" }));
        return refuse("conflict", "no");
      });
      equal(refused.ok, false);
      const found = await store.read(({ workspaces }) => workspaces.byKey(DISK));
      equal(found?.provider, "sqlite");
      equal((await store.read(({ messages }) => messages.page({ space: DISK, limit: 9 }))).length, 1);
    },
  },
  {
    name: "a workspace is where its last opening put it, and starts empty when it changes from memory to disk",
    spaces: [],
    run: async (store) => {
      const put = (provider: "sqlite" | "memory", id: string) =>
        write(store, async ({ workspaces, messages }) => {
          await workspaces.open(workspace(DISK, { provider }));
          await messages.append(message(id, { space: DISK }), null);
        });
      const messageIds = () =>
        store.read(async ({ messages }) => (await messages.page({ space: DISK, limit: 9 })).map(({ id }) => id));
      await put("memory", "msg_1");
      deepEqual(await messageIds(), ["msg_1"]);
      await put("sqlite", "msg_2");
      deepEqual(await messageIds(), ["msg_2"]);
      await put("memory", "msg_3");
      deepEqual(await messageIds(), ["msg_3"]);
      equal((await store.read((reads) => reads.messages.byId("msg_1")))?.id, undefined);
    },
  },
  {
    name: "work of one mailbox in both is counted together, and the more urgent comes first, then what waits longer",
    spaces: [],
    run: async (store) => {
      await openBoth(store);
      const add = (space: string, lane: "immediate" | "normal", enqueuedAt: number) =>
        write(store, async ({ messages, deliveries }) => {
          const id = `${lane} ${space} ${enqueuedAt}`;
          const seq = await messages.append(message(`msg ${id}`, { space }), null);
          await deliveries.add(delivery(id, seq, { space, lane, enqueuedAt }));
        });
      const heads = () =>
        store.read(async ({ deliveries }) => (await deliveries.heads("alice", T0 + 100)).map(({ id }) => id));
      await add(DISK, "normal", T0 + 2);
      await add(MEMORY, "normal", T0 + 1);
      deepEqual(await heads(), [`normal ${MEMORY} ${T0 + 1}`]);
      await add(DISK, "immediate", T0 + 3);
      deepEqual(await heads(), [`immediate ${DISK} ${T0 + 3}`, `normal ${DISK} ${T0 + 2}`]);
      await store.read(async ({ deliveries }) => {
        deepEqual(await deliveries.backlog(), { pending: 3, dead: 0 });
        deepEqual(await deliveries.countOpenByLane(), [
          { mailbox: "alice", lane: "immediate", count: 1 },
          { mailbox: "alice", lane: "normal", count: 2 },
        ]);
        deepEqual(await deliveries.mailboxesWithPending(), ["alice"]);
        const ids = [`normal ${MEMORY} ${T0 + 1}`, "none", `normal ${DISK} ${T0 + 2}`];
        deepEqual(
          (await deliveries.byIds(ids)).map(({ space }) => space),
          [MEMORY, DISK],
        );
      });
    },
  },
  {
    name: "what belongs to a run or a message is found where that is",
    spaces: [],
    run: async (store) => {
      await openBoth(store);
      for (const space of [DISK, MEMORY]) {
        await write(store, async ({ messages, runs, causal, history, usage }) => {
          await messages.append(message(`msg ${space}`, { space }), null);
          await runs.open(run(`run ${space}`, { space, root: `msg ${space}` }));
          await causal.save({ ...newTree(`msg ${space}`), messages: 3 });
          await history.storeReceipt(`run ${space}`, space);
          await history.storePrompt(
            `run ${space}`,
            { system: space, tools: "[]", prompt: [{ text: space, shared: true }] },
            T0,
          );
          const place = { mailbox: "alice", space, openedAt: T0, day: "2026-01-05" };
          await usage.add(place, { ...(await usage.ofDay("nobody", "")), steps: 1 });
        });
      }
      await store.read(async ({ runs, causal, history, usage, workspaces }) => {
        for (const space of [DISK, MEMORY]) {
          equal((await runs.byId(`run ${space}`))?.space, space);
          equal((await causal.tree(`msg ${space}`))?.messages, 3);
          equal(await history.receipt(`run ${space}`), space);
          equal((await usage.sinceOpening(space, T0)).steps, 1);
        }
        equal((await usage.ofDay("alice", "2026-01-05")).steps, 2);
        deepEqual(
          (await usage.by("space", {})).map(({ key }) => key),
          [DISK, MEMORY],
        );
        deepEqual(await workspaces.workspacesOf("alice"), [DISK, MEMORY]);
        equal((await runs.unfinished()).length, 2);
      });
    },
  },
  {
    name: "the last retired workspaces in memory stay, and so do all on disk",
    spaces: [],
    run: async (store) => {
      const keys = Array.from({ length: RETIRED_SPACES + 2 }, (_, n) => `@team-${n}:main`);
      for (const key of keys) {
        await write(store, ({ workspaces }) => workspaces.open(workspace(key, { provider: "memory" })));
        await write(store, ({ messages }) => messages.append(message(`msg ${key}`, { space: key }), null));
        await write(store, ({ workspaces }) => workspaces.close(key, T0));
        await store.retire(key);
      }
      await openBoth(store);
      await store.retire(DISK);
      const left = await store.read(({ workspaces }) => workspaces.list());
      deepEqual(left.map(({ key }) => key).toSorted(), [DISK, MEMORY, ...keys.slice(2)].toSorted());
      equal(await store.read(({ messages }) => messages.byId(`msg ${keys[1]}`)), undefined);
      equal((await store.read(({ messages }) => messages.byId(`msg ${keys[2]}`)))?.id, `msg ${keys[2]}`);
    },
  },
  {
    name: "documents of both are stored separately, and change only with their transaction",
    spaces: [],
    run: async (store) => {
      await openBoth(store);
      for (const space of [DISK, MEMORY]) {
        const staged = await store.documents(space).stage("notes.md", `notes of ${space}`);
        if (!staged.ok) throw new Error(staged.error.message);
        await rejects(
          store.transact(async () => {
            await staged.value.publish();
            throw new Error("bug");
          }),
          { message: "bug" },
        );
        deepEqual(await store.documents(space).list(), []);
        await store.transact(async () => staged.value.publish());
      }
      for (const space of [DISK, MEMORY]) {
        const read = await store.documents(space).read("notes.md");
        equal(read.ok && read.value.content, `notes of ${space}`);
      }
    },
  },
];

function openBoth(store: Store): Promise<void> {
  return write(store, async ({ workspaces }) => {
    await workspaces.open(workspace(DISK));
    await workspaces.open(workspace(MEMORY, { provider: "memory" }));
    for (const space of [DISK, MEMORY]) await workspaces.setParticipants(space, [participant(space, "alice")]);
  });
}
