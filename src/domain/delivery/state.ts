import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/**
 * The state machine of a delivery. Pending: waits for the agent's loop. Leased: belongs to exactly one run, which is
 * executing or waits for the approval of a tool call. Acked and dead: settled. Acked is final; only a person moves a
 * delivery out of dead. The store checks that the caller owns the lease; this table only says which transitions exist.
 */
interface Counts {
  /** Executions that failed with an error or an engine crash. Yields, quotas and a daemon crash do not count. */
  readonly attempts: number;
  readonly preempted: number;
}

export type AckedBy = "run" | "agent" | "person";

export type DeliveryState =
  /** `notBefore` is wall time; null = at once. */
  | (Counts & { readonly status: "pending"; readonly notBefore: number | null })
  | (Counts & { readonly status: "leased" })
  /** By a successful run, by the agent's explicit ack, or by a person who dropped the dead letter. */
  | (Counts & { readonly status: "acked"; readonly by: AckedBy })
  /** `incomplete`: a limit kept it from being answered. */
  | (Counts & { readonly status: "dead"; readonly reason: string; readonly outcome: DeadOutcome });

export type DeadOutcome = "failed" | "incomplete";

export type DeliveryStatus = DeliveryState["status"];

export type DeliveryInput =
  | { readonly kind: "lease" }
  /** The run yielded to more urgent work. Costs no attempt. Its waiting time starts at `at`. */
  | { readonly kind: "yield"; readonly at: number }
  | { readonly kind: "succeed" }
  | { readonly kind: "retry"; readonly notBefore: number }
  /** The quota is exhausted. Costs no attempt. */
  | { readonly kind: "park"; readonly until: number }
  /** The approval that its run waited for is decided. Costs no attempt. Its waiting time starts at `at`. */
  | { readonly kind: "release"; readonly at: number }
  /** What it waited for may be gone: it need not wait any longer. Costs no attempt. */
  | { readonly kind: "hurry" }
  | { readonly kind: "exhaust"; readonly reason: string; readonly outcome: DeadOutcome }
  /** The daemon process that owned the lease has ended. Costs no attempt. */
  | { readonly kind: "lease-lost"; readonly notBefore: number | null }
  | { readonly kind: "ack" }
  | { readonly kind: "revive" }
  | { readonly kind: "drop" };

/**
 * Other transitions are refused. A second ack, and the success of a run whose agent has already acked, change nothing. A
 * pending delivery becomes dead without a run when its recipient no longer exists.
 */
const TRANSITIONS: Readonly<Record<DeliveryStatus, Readonly<Partial<Record<DeliveryInput["kind"], DeliveryStatus>>>>> =
  {
    pending: { lease: "leased", ack: "acked", exhaust: "dead", hurry: "pending" },
    leased: {
      yield: "pending",
      succeed: "acked",
      retry: "pending",
      park: "pending",
      release: "pending",
      exhaust: "dead",
      "lease-lost": "pending",
      ack: "acked",
    },
    acked: { ack: "acked", succeed: "acked" },
    dead: { revive: "pending", drop: "acked" },
  };

export function newDelivery(): DeliveryState {
  return { status: "pending", attempts: 0, preempted: 0, notBefore: null };
}

export function transition(state: DeliveryState, input: DeliveryInput): Result<DeliveryState, Refusal> {
  if (TRANSITIONS[state.status][input.kind] === undefined) {
    return refuse("conflict", `A delivery that is ${state.status} cannot take "${input.kind}".`, {
      hint: state.status === "dead" ? "Retry it or drop it first." : "Look at its present state and decide again.",
      details: { status: state.status, input: input.kind },
    });
  }
  return ok(state.status === "acked" ? state : next(state, input));
}

function next({ attempts, preempted }: Counts, input: DeliveryInput): DeliveryState {
  switch (input.kind) {
    case "lease":
      return { status: "leased", attempts, preempted };
    case "yield":
      return { status: "pending", attempts, preempted: preempted + 1, notBefore: input.at };
    case "retry":
      return { status: "pending", attempts: attempts + 1, preempted, notBefore: input.notBefore };
    case "park":
      return { status: "pending", attempts, preempted, notBefore: input.until };
    case "release":
      return { status: "pending", attempts, preempted, notBefore: input.at };
    case "lease-lost":
      return { status: "pending", attempts, preempted, notBefore: input.notBefore };
    case "hurry":
      return { status: "pending", attempts, preempted, notBefore: null };
    case "revive":
      return { status: "pending", attempts: 0, preempted, notBefore: null };
    case "exhaust":
      return { status: "dead", attempts, preempted, reason: input.reason, outcome: input.outcome };
    case "succeed":
      return { status: "acked", attempts, preempted, by: "run" };
    case "ack":
      return { status: "acked", attempts, preempted, by: "agent" };
    case "drop":
      return { status: "acked", attempts, preempted, by: "person" };
  }
}
