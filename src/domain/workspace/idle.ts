/**
 * When a workspace has nothing left to do, which is what ends a `run`. Everything is counted for one workspace: a loop
 * that is busy elsewhere is idle here. A loop that failed or was stopped never keeps the answer waiting, and neither
 * does what is addressed to it: nobody would ever take it. That work is reported as stranded, so that the caller can say
 * so instead of calling it a success.
 */
export type LoopStatus = "stopped" | "idle" | "running" | "yielding" | "stopping" | "failed";

export interface WorkspaceActivity {
  /** What each participant's loop is doing in this workspace. */
  readonly loops: readonly { readonly agent: string; readonly status: LoopStatus }[];
  /** Pending and leased deliveries by recipient, those that wait for a retry included. */
  readonly openDeliveries: ReadonlyMap<string, number>;
  readonly openBallots: number;
  /** Tool calls that wait for a person: their runs go on afterwards, whatever their loops do now. */
  readonly pendingApprovals: number;
  readonly setupRunning: boolean;
  /** Monotonic: the last message, settlement or change of state here. */
  readonly lastActivity: number;
  /** Monotonic. */
  readonly now: number;
  readonly debounceMs: number;
}

export type Idleness =
  | { readonly idle: true; readonly stranded: number }
  /** `recheckInMs` is given when only time is missing; otherwise something will happen first. */
  | {
      readonly idle: false;
      readonly because: "setup" | "loops" | "approvals" | "deliveries" | "ballots" | "debounce";
      readonly recheckInMs?: number;
    };

const BLOCKS: Readonly<Record<LoopStatus, boolean>> = {
  stopped: false,
  idle: false,
  running: true,
  yielding: true,
  stopping: true,
  failed: false,
};

export function isIdle(activity: WorkspaceActivity): Idleness {
  if (activity.setupRunning) return { idle: false, because: "setup" };
  if (activity.loops.some(({ status }) => BLOCKS[status])) return { idle: false, because: "loops" };
  if (activity.pendingApprovals > 0) return { idle: false, because: "approvals" };

  const gone = new Set(activity.loops.filter(isGone).map(({ agent }) => agent));
  let stranded = 0;
  for (const [recipient, count] of activity.openDeliveries) {
    if (gone.has(recipient)) stranded += count;
    else if (count > 0) return { idle: false, because: "deliveries" };
  }
  if (activity.openBallots > 0) return { idle: false, because: "ballots" };

  const left = activity.lastActivity + activity.debounceMs - activity.now;
  return left > 0 ? { idle: false, because: "debounce", recheckInMs: left } : { idle: true, stranded };
}

function isGone({ status }: { readonly status: LoopStatus }): boolean {
  return status === "stopped" || status === "failed";
}
