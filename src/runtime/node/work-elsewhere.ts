import type { StoreReads } from "../../ports/store/store.ts";

/** Whether another node still does something in these spaces: it executes a run there, or sets up the workspace. */
export async function worksElsewhere(
  store: StoreReads,
  spaces: readonly string[],
  leaseOwner: string,
): Promise<boolean> {
  const runs = await store.runs.unfinished();
  const isForeign = runs.some(
    ({ state, leaseOwner: owner, space }) => state === "open" && owner !== leaseOwner && spaces.includes(space),
  );
  if (isForeign) return true;
  for (const space of spaces) if ((await store.instances.bySpace(space))?.phase === "setup") return true;
  return false;
}
