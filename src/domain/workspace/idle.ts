/**
 * Decides whether a workspace has nothing left to do, which ends a `run`. Everything is counted for one workspace: a loop
 * that is busy elsewhere is idle here. A loop that failed for long or was stopped does not block, and neither do its deliveries,
 * which nothing will lease. They are reported as stranded, so that the caller does not report a success.
 */
export type LoopStatus = "stopped" | "idle" | "running" | "stopping" | "failed";

export interface WorkspaceActivity {
  /** The state of each participant's loop in this workspace. */
  readonly loops: readonly { readonly agent: string; readonly status: LoopStatus }[];
  /** Pending and leased deliveries by recipient, including those that wait for a retry. */
  readonly openDeliveries: ReadonlyMap<string, number>;
  readonly openBallots: number;
  /** Tool calls that wait for a person. Their runs continue afterwards. */
  readonly pendingApprovals: number;
  /** Something is underway that neither a loop nor a delivery shows, such as its setup. */
  readonly held: boolean;
  /** Monotonic time of the last message, settlement or change of state in this workspace. */
  readonly lastActivity: number;
  /** Monotonic time. */
  readonly now: number;
  readonly debounceMs: number;
}

export type Idleness =
  | { readonly idle: true; readonly stranded: number }
  /** `recheckInMs` is set when only time has to pass; otherwise something else must change first. */
  | {
      readonly idle: false;
      readonly because: "held" | "loops" | "approvals" | "deliveries" | "ballots" | "debounce";
      readonly recheckInMs?: number;
    };

const BLOCKS: Readonly<Record<LoopStatus, boolean>> = {
  stopped: false,
  idle: false,
  running: true,
  stopping: true,
  failed: false,
};

export function isIdle(activity: WorkspaceActivity): Idleness {
  if (activity.held) return { idle: false, because: "held" };
  if (activity.loops.some(({ status }) => BLOCKS[status])) return { idle: false, because: "loops" };
  if (activity.pendingApprovals > 0) return { idle: false, because: "approvals" };

  const ended = new Set(activity.loops.filter(hasEnded).map(({ agent }) => agent));
  let stranded = 0;
  for (const [recipient, count] of activity.openDeliveries) {
    if (ended.has(recipient)) stranded += count;
    else if (count > 0) return { idle: false, because: "deliveries" };
  }
  const left = activity.lastActivity + activity.debounceMs - activity.now;
  if (left > 0) return { idle: false, because: "debounce", recheckInMs: left };
  return activity.openBallots > 0 ? { idle: false, because: "ballots" } : { idle: true, stranded };
}

function hasEnded({ status }: { readonly status: LoopStatus }): boolean {
  return status === "stopped" || status === "failed";
}
