import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns the deliveries of a workspace and of its sub-spaces since it was opened. */
export async function deliveriesWithin(store: StoreReads, space: string, openedAt: number): Promise<DeliveryRecord[]> {
  const workspace = await store.workspaces.byKey(space);
  const subSpaces = workspace === undefined ? [] : await store.workspaces.within(workspace);
  const all = await store.deliveries.since(space, openedAt);
  for (const { key } of subSpaces) all.push(...(await store.deliveries.since(key, openedAt)));
  return all;
}
