import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Why a run that has begun does not go on by itself. */
export interface RunStop {
  readonly at: number;
  /** What was stopped. */
  readonly what: "agent" | "workspace";
}

/** Returns the stop of a run that no loop executes: a person stopped its agent, or its workspace is closed. */
export async function runStop(
  store: Pick<StoreReads, "stops" | "workspaces">,
  run: Pick<RunRecord, "state" | "mailbox" | "space">,
): Promise<RunStop | undefined> {
  if (run.state === "open" || run.state === "ended") return undefined;
  const workspace = await store.workspaces.byKey(run.space);
  if (workspace?.state === "closed") return { at: workspace.closedAt ?? workspace.openedAt, what: "workspace" };
  const stop = await store.stops.ofMailbox(run.mailbox);
  return stop === undefined ? undefined : { at: stop.at, what: "agent" };
}
