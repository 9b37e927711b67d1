import type { SubSpaceView } from "../../contract/spaces/sub-spaces.ts";
import { displaySpace, parseSpace } from "../../domain/message/space.ts";
import { splitTag } from "../../domain/workspace/sub-space.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";

/** Its first message says what it is for and who opened it. */
export async function subSpaceView(store: StoreReads, record: WorkspaceRecord): Promise<SubSpaceView> {
  const { key, tag, state, openedAt, closedAt } = record;
  // The key of one of an earlier instance has its number.
  const place = parseSpace(key);
  const [first] = await store.messages.page({ space: key, after: 0, limit: 1 });
  return {
    space: key,
    address: place.ok ? displaySpace(place.value) : key,
    name: splitTag(tag).name ?? "",
    state,
    members: (await store.workspaces.roster(key)).map(({ agent }) => agent),
    purpose: first?.body ?? null,
    openedBy: first?.sender ?? null,
    openedAt: new Date(openedAt).toISOString(),
    closedAt: closedAt === null ? null : new Date(closedAt).toISOString(),
  };
}
