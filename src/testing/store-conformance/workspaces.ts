import { deepEqual, equal } from "node:assert/strict";
import { participant, T0, workspace, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const KEY = "@review:main";

export const workspaceCases: readonly StoreCase[] = [
  {
    name: "a workspace comes back as it was opened, closed, and opened again",
    spaces: [],
    run: async (store, provider) => {
      const first = workspace(KEY, { channel: false, documentOwner: "alice", provider, documents: "sqlite" });
      const find = () => store.read((reads) => reads.workspaces.byKey(KEY));
      await write(store, ({ workspaces }) => workspaces.open(first));
      deepEqual(await find(), first);
      deepEqual(await store.read((reads) => reads.workspaces.status(KEY)), {
        state: "open",
        channel: false,
        openedAt: T0,
      });
      await write(store, ({ workspaces }) => workspaces.close(KEY, T0 + 5));
      deepEqual(await find(), { ...first, state: "closed", closedAt: T0 + 5 });
      const again = workspace(KEY, { openedAt: T0 + 9, dir: "elsewhere", provider });
      await write(store, async ({ workspaces }) => {
        await workspaces.open(again);
        await workspaces.setDocumentOwner(KEY, "bob");
      });
      deepEqual(await find(), { ...again, documentOwner: "bob" });
      equal(await store.read((reads) => reads.workspaces.byKey("@other:main")), undefined);
      equal(await store.read((reads) => reads.workspaces.status("@other:main")), undefined);
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
    name: "participants keep the order of joining and what they were given; setting them again replaces them",
    spaces: [],
    run: async (store, provider) => {
      const zoe = participant(KEY, "zoe", { position: 0, isRef: false, definition: '{"name":"zoe"}' });
      const alice = participant(KEY, "alice", {
        position: 1,
        promptAppend: "be kind",
        role: "editor",
        task: "reading",
        mood: "calm",
      });
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
          { agent: "zoe", isRef: false },
          { agent: "alice", isRef: true },
        ]);
        deepEqual(await workspaces.participant(KEY, "alice"), alice);
        equal(await workspaces.participant(KEY, "bob"), undefined);
        deepEqual(await workspaces.member(KEY, "zoe"), { agent: "zoe", isRef: false });
        equal(await workspaces.member(KEY, "bob"), undefined);
      });
      await write(store, ({ workspaces }) => workspaces.setParticipants(KEY, [alice]));
      await store.read(async ({ workspaces }) => {
        deepEqual(await workspaces.roster(KEY), [{ agent: "alice", isRef: true }]);
        deepEqual(await workspaces.roster("@other:main"), [{ agent: "bob", isRef: true }]);
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
        await workspaces.setParticipants("@c:main", [participant("@c:main", "bob")]);
      });
      const workspacesOf = (agent: string) => store.read((reads) => reads.workspaces.workspacesOf(agent));
      deepEqual(await workspacesOf("alice"), ["@a:main", "@b:main"]);
      await write(store, ({ workspaces }) => workspaces.close("@a:main", T0));
      deepEqual(await workspacesOf("alice"), ["@b:main"]);
      deepEqual(await workspacesOf("zoe"), []);
    },
  },
];
