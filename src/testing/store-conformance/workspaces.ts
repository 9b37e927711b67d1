import { deepEqual, equal } from "node:assert/strict";
import { NOTHING_USED } from "../../domain/budget/usage.ts";
import { delivery, message, participant, run, T0, workspace, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const KEY = "@review:main";

export const workspaceCases: readonly StoreCase[] = [
  {
    name: "a workspace comes back as it was opened, closed, and opened again",
    spaces: [],
    run: async (store, provider) => {
      const first = workspace(KEY, {
        channel: false,
        documentOwner: "alice",
        ownerSetting: "alice",
        provider,
        documents: "sqlite",
        file: "elsewhere/review.yaml",
      });
      const find = () => store.read((reads) => reads.workspaces.byKey(KEY));
      await write(store, ({ workspaces }) => workspaces.open(first));
      deepEqual(await find(), first);
      deepEqual(await store.read((reads) => reads.workspaces.status(KEY)), {
        state: "open",
        channel: false,
        openedAt: T0,
        workflow: "review",
        file: "elsewhere/review.yaml",
      });
      await write(store, ({ workspaces }) => workspaces.close(KEY, T0 + 5));
      deepEqual(await find(), { ...first, state: "closed", closedAt: T0 + 5 });
      const again = workspace(KEY, { openedAt: T0 + 9, dir: "elsewhere", provider });
      await write(store, async ({ workspaces }) => {
        await workspaces.open(again);
        await workspaces.setDocumentOwner(KEY, "bob");
        await workspaces.setOwnerSetting(KEY, "elect");
      });
      deepEqual(await find(), { ...again, documentOwner: "bob", ownerSetting: "elect" });
      equal(await store.read((reads) => reads.workspaces.byKey("@other:main")), undefined);
      equal(await store.read((reads) => reads.workspaces.status("@other:main")), undefined);
    },
  },
  {
    name: "an instance that is set aside takes everything of its space along, and the next one begins with nothing",
    spaces: [],
    run: async (store, provider) => {
      const first = workspace(KEY, { provider, documents: "sqlite", file: "extra/review.yaml" });
      const second = workspace(KEY, { provider, instance: 2, openedAt: T0 + 9 });
      const place = { mailbox: "zoe@review:main", space: KEY, openedAt: T0, day: "2026-01-31" };
      const earlier = await write(store, async (writes) => {
        await writes.workspaces.open(first);
        await writes.workspaces.setParticipants(KEY, [participant(KEY, "zoe", { ref: null })]);
        await writes.instances.save({ space: KEY, phase: "started", untilIdle: true });
        const seq = await writes.messages.append(message("msg_1"), null);
        await writes.deliveries.add(delivery("dlv_1", seq, { mailbox: place.mailbox }));
        await writes.runs.open(run("run_1", { space: KEY, mailbox: place.mailbox }));
        await writes.usage.add(place, { ...NOTHING_USED, runs: 1 });
        await writes.memories.markSeenUntrusted("zoe", KEY, T0);
        await writes.workspaces.close(KEY, T0 + 5);
        const key = await writes.workspaces.setAside(first);
        await writes.workspaces.open(second);
        return key;
      });
      equal(earlier, `${KEY}~1`);
      await store.read(async (reads) => {
        const { workspaces, messages, deliveries, history, usage, memories } = reads;
        const before = { ...first, key: earlier, earlier: true, state: "closed", closedAt: T0 + 5 };
        deepEqual(await workspaces.byKey(KEY), second);
        deepEqual(await workspaces.byKey(earlier), before);
        deepEqual(await workspaces.list(), [second]);
        deepEqual(await workspaces.earlier(second), [before]);
        deepEqual(await workspaces.roster(KEY), []);
        deepEqual(await workspaces.roster(earlier), [{ agent: "zoe", ref: null }]);
        for (const [space, count] of [
          [KEY, 0],
          [earlier, 1],
        ] as const) {
          equal((await messages.page({ space, limit: 9 })).length, count);
          equal(await deliveries.countOpen(space), count);
          equal((await history.list({ space, limit: 9 })).length, count);
          equal((await usage.by("mailbox", { space })).length, count);
          equal(await memories.hasSeenUntrusted("zoe", space), count === 1);
        }
        deepEqual(await deliveries.heads(place.mailbox, T0), []);
        equal((await usage.ofDay(place.mailbox, place.day)).runs, 1);
      });
    },
  },
  {
    name: "workspaces are listed all, or by state",
    spaces: [],
    run: async (store, provider) => {
      await write(store, async ({ workspaces }) => {
        await workspaces.open(workspace("@b:main", { provider }));
        await workspaces.open(workspace("@a:main", { provider }));
        await workspaces.open(workspace("@c:main", { provider }));
        await workspaces.close("@a:main", T0);
      });
      const list = (query?: { state: "open" | "closed" }) =>
        store.read(async (reads) => (await reads.workspaces.list(query)).map(({ key }) => key));
      deepEqual(await list(), ["@a:main", "@b:main", "@c:main"]);
      deepEqual(await list({ state: "open" }), ["@b:main", "@c:main"]);
      deepEqual(await list({ state: "closed" }), ["@a:main"]);
    },
  },
  {
    name: "sub-spaces are listed with their workspace only, and set aside by themselves",
    spaces: [],
    run: async (store, provider) => {
      const sub = workspace("@b:main/plan", { provider, instance: 3 });
      await write(store, async ({ workspaces }) => {
        await workspaces.open(workspace("@b:main", { provider }));
        await workspaces.open(workspace("@b:mainline", { provider }));
        await workspaces.open(sub);
        await workspaces.close(sub.key, T0 + 5);
      });
      const names = (records: readonly { readonly key: string }[]) => records.map(({ key }) => key);
      await store.read(async ({ workspaces }) => {
        deepEqual(names(await workspaces.list()), ["@b:main", "@b:mainline"]);
        deepEqual(names(await workspaces.list({ state: "closed" })), []);
        deepEqual(await workspaces.within({ workflow: "b", tag: "main" }), [
          { ...sub, state: "closed", closedAt: T0 + 5 },
        ]);
        deepEqual(await workspaces.within({ workflow: "b", tag: "mainline" }), []);
      });
      equal(await write(store, ({ workspaces }) => workspaces.setAside(sub)), "@b:main/plan~3");
      deepEqual(await store.read((reads) => reads.workspaces.within({ workflow: "b", tag: "main" })), []);
      deepEqual(names(await store.read((reads) => reads.workspaces.earlier(sub))), ["@b:main/plan~3"]);
      const ofInstance = (instance: number) =>
        store.read((reads) => reads.workspaces.within({ workflow: "b", tag: "main", instance, earlier: true }));
      deepEqual(names(await ofInstance(3)), ["@b:main/plan~3"]);
      deepEqual(names(await ofInstance(2)), []);
    },
  },
  {
    name: "participants keep the order of joining and what they were given; setting them again replaces them",
    spaces: [],
    run: async (store, provider) => {
      const zoe = participant(KEY, "zoe", { position: 0, ref: null });
      const alice = participant(KEY, "alice", { position: 1, role: "editor", task: "reading", mood: "calm" });
      await write(store, async ({ workspaces }) => {
        await workspaces.open(workspace(KEY, { provider }));
        await workspaces.open(workspace("@other:main", { provider }));
        await workspaces.setParticipants(KEY, [alice, zoe]);
        await workspaces.setParticipants("@other:main", [participant("@other:main", "bob")]);
        await workspaces.setStatus(KEY, "zoe", { task: "writing", mood: null });
        await workspaces.setRole(KEY, "zoe", "lead");
      });
      await store.read(async ({ workspaces }) => {
        deepEqual(await workspaces.participants(KEY), [{ ...zoe, task: "writing", role: "lead" }, alice]);
        deepEqual(await workspaces.roster(KEY), [
          { agent: "zoe", ref: null },
          { agent: "alice", ref: "alice" },
        ]);
        deepEqual(await workspaces.participant(KEY, "alice"), alice);
        equal(await workspaces.participant(KEY, "bob"), undefined);
        deepEqual(await workspaces.member(KEY, "zoe"), { agent: "zoe", ref: null });
        equal(await workspaces.member(KEY, "bob"), undefined);
      });
      await write(store, ({ workspaces }) => workspaces.setParticipants(KEY, [alice]));
      await store.read(async ({ workspaces }) => {
        deepEqual(await workspaces.roster(KEY), [{ agent: "alice", ref: "alice" }]);
        deepEqual(await workspaces.roster("@other:main"), [{ agent: "bob", ref: "bob" }]);
      });
    },
  },
  {
    name: "an agent's workspaces are the open ones it takes part in",
    spaces: [],
    run: async (store, provider) => {
      await write(store, async ({ workspaces }) => {
        for (const key of ["@b:main", "@a:main", "@c:main"]) await workspaces.open(workspace(key, { provider }));
        for (const key of ["@b:main", "@a:main"]) await workspaces.setParticipants(key, [participant(key, "alice")]);
        await workspaces.setParticipants("@c:main", [participant("@c:main", "bob", { ref: "ben" })]);
      });
      const workspacesOf = (agent: string) => store.read((reads) => reads.workspaces.workspacesOf(agent));
      deepEqual(await workspacesOf("alice"), ["@a:main", "@b:main"]);
      await write(store, ({ workspaces }) => workspaces.close("@a:main", T0));
      deepEqual(await workspacesOf("alice"), ["@b:main"]);
      deepEqual(await workspacesOf("bob"), ["@c:main"]);
      deepEqual(await workspacesOf("ben"), ["@c:main"]);
      deepEqual(await workspacesOf("zoe"), []);
    },
  },
];
