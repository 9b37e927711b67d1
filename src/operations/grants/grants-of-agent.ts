import type { GrantView } from "../../contract/spaces/grants.ts";
import { isSubSpace } from "../../domain/workspace/sub-space.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { toGrantView } from "./view.ts";

/** Returns what an agent of the project holds by grants: in its direct messages, then in open workspaces. */
export async function grantsOfAgent(store: StoreReads, name: string): Promise<GrantView[]> {
  const found = (await store.grants.of(name, name)).map((held) => toGrantView(name, held));
  for (const space of await store.workspaces.workspacesOf(name)) {
    if (isSubSpace(space)) continue;
    const roster = await store.workspaces.roster(space);
    for (const { agent } of roster.filter(({ ref }) => ref === name)) {
      for (const held of await store.grants.of(space, agent)) found.push(toGrantView(space, held));
    }
  }
  return found;
}
