import { cpSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { refuse } from "../../../src/kernel/refusal.ts";
import { ok } from "../../../src/kernel/result.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import { message, participant, T0, workspace, write } from "../../../src/testing/store-conformance/records.ts";
import { openStoreFile } from "../../support/store/sqlite-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const KEY = "@review:main";
const state = (store: Store) => store.read(async (reads) => (await reads.workspaces.byKey(KEY))?.state);

describe("what the store remembers of workspaces", () => {
  it("is what was committed last, after every kind of change", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    const look = () =>
      store.read(async ({ workspaces }) => ({
        workspace: await workspaces.byKey(KEY),
        status: await workspaces.status(KEY),
        alice: await workspaces.participant(KEY, "alice"),
      }));
    expect(await look()).toEqual({ workspace: undefined, status: undefined, alice: undefined });
    await write(store, ({ workspaces }) => workspaces.open(workspace(KEY)));
    expect(await look()).toMatchObject({ workspace: { state: "open" }, status: { state: "open" }, alice: undefined });
    await write(store, ({ workspaces }) => workspaces.setParticipants(KEY, [participant(KEY, "alice")]));
    expect(await look()).toMatchObject({ alice: { task: null } });
    await write(store, ({ workspaces }) => workspaces.setStatus(KEY, "alice", { task: "reading", mood: null }));
    expect(await look()).toMatchObject({ alice: { task: "reading" } });
    await write(store, ({ workspaces }) => workspaces.setDocumentOwner(KEY, "alice"));
    expect(await look()).toMatchObject({ workspace: { documentOwner: "alice" } });
    await write(store, ({ workspaces }) => workspaces.close(KEY, T0 + 1));
    expect(await look()).toMatchObject({ workspace: { closedAt: T0 + 1 }, status: { state: "closed" } });
    await write(store, ({ workspaces }) => workspaces.setParticipants(KEY, []));
    expect(await look()).toMatchObject({ alice: undefined });
  });

  it("is not changed by what was undone, nor kept by a read that began before the change", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    await write(store, ({ workspaces }) => workspaces.open(workspace(KEY)));
    await store.transact(async ({ workspaces }) => {
      await workspaces.close(KEY, T0);
      return refuse("conflict", "not this time");
    });
    expect(await state(store)).toBe("open");

    const closed = Promise.withResolvers<void>();
    const early = store.read(async (reads) => {
      await reads.messages.byId("msg_none"); // the state it reads is settled by its first look
      await closed.promise;
      return (await reads.workspaces.byKey(KEY))?.state;
    });
    await write(store, ({ workspaces }) => workspaces.close(KEY, T0));
    closed.resolve();
    expect(await early).toBe("open");
    expect(await state(store)).toBe("closed");
  });
});

describe("what the store remembers of messages", () => {
  it("are committed ones alone: one that was undone is not found, not even by who looked at it meanwhile", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    const find = (id: string) => store.read(async (reads) => (await reads.messages.byId(id))?.body);
    const undone = store.transact(async ({ messages }) => {
      await messages.append(message("msg_1"), null);
      expect(await messages.byId("msg_1")).toBeDefined();
      return refuse("conflict", "not this time");
    });
    const kept = store.transact(async ({ messages }) => ok(await messages.append(message("msg_2"), null)));
    expect([(await undone).ok, (await kept).ok]).toEqual([false, true]);
    expect(await find("msg_1")).toBeUndefined();
    expect(await find("msg_2")).toBe("text of msg_2");
    expect(await find("msg_2")).toBe("text of msg_2");
  });

  it("are all that were said since, whatever was undone, too long or too many", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    const said: number[] = [];
    const say = async (count: number, more: { readonly body?: string; readonly undo?: boolean } = {}) => {
      const id = (i: number) => `msg_${said.length}_${i}`;
      await store.transact(async ({ messages, nested }) => {
        const add = async (name: string) => ok(await messages.append(message(name, more), null));
        if (more.undo === true) {
          await nested(async () => {
            await add("msg_undone");
            return refuse("conflict", "not this time");
          });
        }
        for (let i = 0; i < count; i += 1) {
          const added = await add(id(i));
          if (added.ok) said.push(added.value);
        }
        return ok(undefined);
      });
    };
    let after = 0;
    const sayAndLook = async (...how: Parameters<typeof say>) => {
      await say(...how);
      const page = await store.read((reads) => reads.messages.page({ space: KEY, after, limit: 1_000 }));
      expect(page.map(({ seq }) => seq)).toEqual(said.filter((seq) => seq > after));
      after = said.at(-1) ?? 0;
    };
    await sayAndLook(1);
    await sayAndLook(3);
    await sayAndLook(2, { undo: true });
    await sayAndLook(1);
    await sayAndLook(2, { body: "z".repeat(20_000) });
    await sayAndLook(1);
    await sayAndLook(30);
    await sayAndLook(1);
    for (let i = 0; i < 6; i += 1) await say(100);
    await sayAndLook(1);
    await sayAndLook(1);
  });

  it("do not show a read that began before them", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    const first = await write(store, ({ messages }) => messages.append(message("msg_1"), null));
    const committed = Promise.withResolvers<void>();
    const during = store.read(async ({ messages }) => {
      await messages.page({ space: KEY, after: first, limit: 9 });
      await committed.promise;
      return messages.page({ space: KEY, after: first, limit: 9 });
    });
    await write(store, ({ messages }) => messages.append(message("msg_2"), null));
    committed.resolve();
    expect(await during).toEqual([]);
    const later = await store.read(({ messages }) => messages.page({ space: KEY, after: first, limit: 9 }));
    expect(later.map(({ id }) => id)).toEqual(["msg_2"]);
  });

  it("can be more than it remembers", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    const ids = Array.from({ length: 600 }, (_, i) => `msg_${i}`);
    await write(store, async ({ messages }) => {
      for (const id of ids) await messages.append(message(id), null);
    });
    for (const _ of [1, 2]) {
      const found = await store.read((reads) => Promise.all(ids.map((id) => reads.messages.byId(id))));
      expect(found.map((each) => each?.id)).toEqual(ids);
    }
  });
});

describe("reads", () => {
  it("that follow each other see what was committed between them, and each one state throughout", async () => {
    using folder = temporaryFolder();
    await using store = openStoreFile(folder.in("a.db"));
    const count = (reads: Parameters<Parameters<Store["read"]>[0]>[0]) =>
      reads.messages.page({ space: KEY, limit: 99 });
    for (let i = 1; i <= 5; i += 1) {
      const committed = Promise.withResolvers<void>();
      const during = store.read(async (reads) => {
        const before = (await count(reads)).length;
        await committed.promise;
        return [before, (await count(reads)).length];
      });
      await write(store, ({ messages }) => messages.append(message(`msg_${i}`), null));
      committed.resolve();
      expect(await during).toEqual([i - 1, i - 1]);
      expect((await store.read(count)).length).toBe(i);
      expect((await store.read(count)).length).toBe(i);
    }
  });

  it("do not keep the log from being written back", async () => {
    using folder = temporaryFolder();
    const file = folder.in("a.db");
    await using store = openStoreFile(file);
    const body = "x".repeat(200_000);
    for (let i = 0; i < 400; i += 1) {
      await store.read((reads) => reads.messages.byId("msg_none"));
      await write(store, ({ messages }) => messages.append(message(`msg_${i}`, { body }), null));
    }
    // Some 80 MB were written; the log starts over each time about 16 MB of it are in the database.
    expect(statSync(`${file}-wal`).size).toBeLessThan(40_000_000);
  });
});

it("a long log that was left is written back after the first commits, not with the very first", async () => {
  using folder = temporaryFolder();
  const file = folder.in("a.db");
  await openStoreFile(file)[Symbol.asyncDispose]();
  const left = folder.in("left.db");
  {
    const db = new DatabaseSync(file);
    db.exec("PRAGMA wal_autocheckpoint = 0");
    const insert = db.prepare("INSERT INTO event (type, data, at) VALUES ('message.posted', ?, 0)");
    for (let i = 0; i < 100; i += 1) insert.run("y".repeat(200_000));
    for (const end of ["", "-wal"]) cpSync(`${file}${end}`, `${left}${end}`);
    db.close();
  }
  const before = statSync(left).size;
  await using store = openStoreFile(left);
  const commit = (i: number) => write(store, ({ messages }) => messages.append(message(`msg_${i}`), null));
  await commit(0);
  expect(statSync(left).size).toBe(before);
  for (let i = 1; i <= 101; i += 1) await commit(i);
  expect(statSync(left).size).toBeGreaterThan(before + 15_000_000);
  expect(await store.findDamage()).toEqual([]);
});

it("reads a kickoff of an earlier version as the message of the person whose words it is", async () => {
  using folder = temporaryFolder();
  await using store = openStoreFile(folder.in("a.db"));
  await write(store, async ({ messages }) => {
    await messages.append(message("old", { sender: "system", kind: "kickoff", onBehalfOf: "user" }), null);
    await messages.append(message("quotes", { sender: "system", kind: "kickoff" }), null);
    await messages.append(message("rule", { sender: "rule:tell", onBehalfOf: "user" }), null);
  });
  const page = await store.read(({ messages }) => messages.page({ space: KEY, limit: 5 }));
  expect(page.map(({ sender }) => sender)).toEqual(["user", "system", "rule:tell"]);
});
