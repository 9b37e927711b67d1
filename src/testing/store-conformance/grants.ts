import { deepEqual } from "node:assert/strict";
import type { HeldGrant } from "../../domain/grant/grant.ts";
import type { Store } from "../../ports/store/store.ts";
import { T0, workspace, write } from "./records.ts";
import type { StoreCase } from "./store-case.ts";

const KEY = "@review:main";
const OTHER = "@other:main";
const held = (agent: string, tool: string, more: Partial<HeldGrant> = {}): HeldGrant => ({
  agent,
  tool,
  handOn: false,
  givenBy: "user",
  ...more,
});
const inSpace = (store: Store, space: string) => store.read((reads) => reads.grants.inSpace(space));

export const grantCases: readonly StoreCase[] = [
  {
    name: "what is held by grants comes back in its order, by space and by agent, and is replaced as a whole",
    run: async (store) => {
      const zoe = held("zoe", "rule_list", { handOn: true });
      const alice = held("alice", "rule_add", { givenBy: "zoe" });
      await write(store, async ({ grants }) => {
        await grants.replace(KEY, [zoe, alice]);
        await grants.replace(OTHER, [held("zoe", "note_add")]);
      });
      deepEqual(await inSpace(store, KEY), [zoe, alice]);
      deepEqual(await store.read((reads) => reads.grants.of(KEY, "alice")), [alice]);
      deepEqual(await store.read((reads) => reads.grants.of(OTHER, "alice")), []);
      await write(store, ({ grants }) => grants.replace(KEY, [alice]));
      deepEqual(await inSpace(store, KEY), [alice]);
      deepEqual(await inSpace(store, OTHER), [held("zoe", "note_add")]);
    },
  },
  {
    name: "what is held by grants goes with an instance that is set aside",
    spaces: [],
    run: async (store, provider) => {
      const first = workspace(KEY, { provider });
      await write(store, async ({ workspaces, grants }) => {
        await workspaces.open(first);
        await grants.replace(KEY, [held("zoe", "rule_add")]);
        await workspaces.close(KEY, T0 + 5);
        await workspaces.setAside(first);
        await workspaces.open(workspace(KEY, { provider, instance: 2, openedAt: T0 + 9 }));
      });
      deepEqual(await inSpace(store, KEY), []);
      deepEqual(await inSpace(store, `${KEY}~1`), [held("zoe", "rule_add")]);
    },
  },
];
