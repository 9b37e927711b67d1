import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** What this node executes: the space of its run, by mailbox. */
export type ExecutedRuns = ReadonlyMap<string, string>;

/** What others have said in the store about runs that this node executes. */
export interface RunOrders {
  /** A person stopped these agents, perhaps on another node. */
  readonly stopped: readonly string[];
  /** The run of these was taken over, or its workspace was closed: it ends here, and the next is looked for. */
  readonly interrupted: readonly string[];
}

/**
 * A command for a run is a row: that an agent was stopped, that a workspace was closed, that a run has another owner. The
 * node that executes the run reads it, whichever node wrote it.
 */
export async function readOrders(store: StoreReads, executed: ExecutedRuns, leaseOwner: string): Promise<RunOrders> {
  const stopped: string[] = [];
  const interrupted: string[] = [];
  for (const [mailbox, space] of executed) {
    const run = await store.runs.openOf(mailbox);
    const stop = await store.stops.ofMailbox(mailbox);
    const isClosed = (await store.workspaces.status(workspaceOf(space)))?.state === "closed";
    if (stop !== undefined) stopped.push(mailbox);
    else if (isClosed || (run !== undefined && run.leaseOwner !== leaseOwner)) interrupted.push(mailbox);
  }
  return { stopped, interrupted };
}
