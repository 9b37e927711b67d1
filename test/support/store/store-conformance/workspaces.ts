import { expect } from "vitest";
import type { StoreCase } from "../store-conformance.ts";
import { participant, T0, workspace, write } from "../store-records.ts";

const KEY = "@review:main";

export const workspaceCases: readonly StoreCase[] = [
  {
    name: "a workspace comes back as it was opened, closed, and opened again",
    run: async (open) => {
      await using store = await open();
      const first = workspace(KEY, { channel: false, documentOwner: "alice", provider: "file", documents: "sqlite" });
      const find = () => store.read((reads) => reads.workspaces.byKey(KEY));
      await write(store, ({ workspaces }) => workspaces.open(first));
      expect(await find()).toEqual(first);
      expect(await store.read((reads) => reads.workspaces.status(KEY))).toEqual({
        state: "open",
        channel: false,
        openedAt: T0,
      });
      await write(store, ({ workspaces }) => workspaces.close(KEY, T0 + 5));
      expect(await find()).toEqual({ ...first, state: "closed", closedAt: T0 + 5 });
      const again = workspace(KEY, { openedAt: T0 + 9, dir: "elsewhere" });
      await write(store, async ({ workspaces }) => {
        await workspaces.open(again);
        await workspaces.setDocumentOwner(KEY, "bob");
      });
      expect(await find()).toEqual({ ...again, documentOwner: "bob" });
      expect(await store.read((reads) => reads.workspaces.byKey("@other:main"))).toBeUndefined();
      expect(await store.read((reads) => reads.workspaces.status("@other:main"))).toBeUndefined();
    },
  },
  {
    name: "workspaces are listed all, or by state",
    run: async (open) => {
      await using store = await open();
      await write(store, async ({ workspaces }) => {
        await workspaces.open(workspace("@b:main"));
        await workspaces.open(workspace("@a:main"));
        await workspaces.open(workspace("@c:main"));
        await workspaces.close("@a:main", T0);
      });
      const list = (query?: { state: "open" | "closed" }) =>
        store.read(async (reads) => (await reads.workspaces.list(query)).map(({ key }) => key));
      expect(await list()).toEqual(["@a:main", "@b:main", "@c:main"]);
      expect(await list({ state: "open" })).toEqual(["@b:main", "@c:main"]);
      expect(await list({ state: "closed" })).toEqual(["@a:main"]);
    },
  },
  {
    name: "participants keep the order of joining and what they were given; setting them again replaces them",
    run: async (open) => {
      await using store = await open();
      const zoe = participant(KEY, "zoe", { position: 0, isRef: false, definition: '{"name":"zoe"}' });
      const alice = participant(KEY, "alice", { position: 1, promptAppend: "be kind", task: "reading", mood: "calm" });
      await write(store, async ({ workspaces }) => {
        await workspaces.open(workspace(KEY));
        await workspaces.open(workspace("@other:main"));
        await workspaces.setParticipants(KEY, [alice, zoe]);
        await workspaces.setParticipants("@other:main", [participant("@other:main", "bob")]);
        await workspaces.setStatus(KEY, "zoe", { task: "writing", mood: null });
      });
      await store.read(async ({ workspaces }) => {
        expect(await workspaces.participants(KEY)).toEqual([{ ...zoe, task: "writing" }, alice]);
        expect(await workspaces.roster(KEY)).toEqual([
          { agent: "zoe", isRef: false },
          { agent: "alice", isRef: true },
        ]);
        expect(await workspaces.participant(KEY, "alice")).toEqual(alice);
        expect(await workspaces.participant(KEY, "bob")).toBeUndefined();
        expect(await workspaces.member(KEY, "zoe")).toEqual({ agent: "zoe", isRef: false });
        expect(await workspaces.member(KEY, "bob")).toBeUndefined();
      });
      await write(store, ({ workspaces }) => workspaces.setParticipants(KEY, [alice]));
      await store.read(async ({ workspaces }) => {
        expect(await workspaces.roster(KEY)).toEqual([{ agent: "alice", isRef: true }]);
        expect(await workspaces.roster("@other:main")).toEqual([{ agent: "bob", isRef: true }]);
      });
    },
  },
  {
    name: "an agent's workspaces are the open ones it takes part in",
    run: async (open) => {
      await using store = await open();
      await write(store, async ({ workspaces }) => {
        for (const key of ["@b:main", "@a:main", "@c:main"]) await workspaces.open(workspace(key));
        for (const key of ["@b:main", "@a:main"]) await workspaces.setParticipants(key, [participant(key, "alice")]);
        await workspaces.setParticipants("@c:main", [participant("@c:main", "bob")]);
      });
      const workspacesOf = (agent: string) => store.read((reads) => reads.workspaces.workspacesOf(agent));
      expect(await workspacesOf("alice")).toEqual(["@a:main", "@b:main"]);
      await write(store, ({ workspaces }) => workspaces.close("@a:main", T0));
      expect(await workspacesOf("alice")).toEqual(["@b:main"]);
      expect(await workspacesOf("zoe")).toEqual([]);
    },
  },
];
