import type { RequestOutcome, WaitingRun } from "../../contract/service/work-request.ts";
import { deliveryOutcome, isSuccess, requestOutcome, type Outcome } from "../../domain/outcome.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { providerHold } from "../../operations/troubles/provider-hold.ts";
import { hintFor } from "./request-hint.ts";
import { waitOf } from "../../operations/runs/waiting-runs.ts";

/** A request that is over, or that nobody waits for any longer. */
export interface EndedRequest {
  readonly space: string;
  readonly deliveries: readonly DeliveryRecord[];
  /** False when its first message reached nobody, whatever else happened in the space. */
  readonly woke: boolean;
}

/** Makes one outcome of what became of the deliveries of a request, and says what to do about it. */
export async function outcomeOfRequest(
  store: StoreReads,
  request: EndedRequest,
): Promise<RequestOutcome & { readonly outcome: Outcome }> {
  const parts: Outcome[] = request.woke ? [] : ["nobody_woken"];
  const failed: { id: string; agent: string; reason: string }[] = [];
  const incomplete = new Map<string, RequestOutcome["incomplete"][number]>();
  const waits = new Map<string, WaitingRun>();
  for (const delivery of request.deliveries) {
    const run = delivery.run === null ? undefined : await store.runs.byId(delivery.run);
    const outcome = isOpen(delivery) ? await openOutcome(store, delivery, run) : deliveryOutcome(delivery.state, run);
    parts.push(outcome);
    const { id, state, agent } = delivery;
    const waitsWith = run ?? (outcome === "parked" ? (await providerHold(store, delivery.mailbox, 0))?.run : undefined);
    const wait = outcome === "parked" && waitsWith !== undefined ? await waitOf(store, waitsWith) : null;
    if (wait !== null) waits.set(wait.run, wait);
    else if (outcome === "incomplete" && state.status === "dead") {
      incomplete.set(id, { agent, reason: state.reason, delivery: id });
    } else if (outcome === "incomplete") {
      incomplete.set(run?.id ?? id, { agent, reason: run?.reason ?? "A limit was reached.", delivery: null });
    } else if (!isSuccess(outcome) && outcome !== "parked") failed.push({ id, agent, reason: reasonOf(delivery, run) });
  }
  const outcome = requestOutcome(parts);
  const end = {
    outcome,
    success: isSuccess(outcome),
    failed,
    incomplete: [...incomplete.values()],
    waits: [...waits.values()],
  };
  return { ...end, hint: await hintFor(store, request.space, end) };
}

/** The end of a request that waits only for its start. It has an outcome only if nobody was woken. */
export async function outcomeOfStart(store: StoreReads, space: string, woke: boolean): Promise<RequestOutcome> {
  if (!woke) return outcomeOfRequest(store, { space, deliveries: [], woke });
  return { outcome: null, success: true, failed: [], incomplete: [], waits: [], hint: null };
}

/** An open delivery that nobody stopped goes on by itself, although no loop works on it: the loop may have failed. */
async function openOutcome(
  store: StoreReads,
  { mailbox, space, state }: DeliveryRecord,
  run: RunRecord | undefined,
): Promise<Outcome> {
  if ((await store.stops.ofMailbox(mailbox)) !== undefined) return "stopped";
  if ((await store.workspaces.status(space))?.state === "closed") return "stopped";
  const outcome = deliveryOutcome(state, run);
  return outcome === "stopped" ? "parked" : outcome;
}

function isOpen({ state }: DeliveryRecord): boolean {
  return state.status === "pending" || state.status === "leased";
}

function reasonOf({ state, agent }: DeliveryRecord, run: RunRecord | undefined): string {
  if (state.status === "dead") return state.reason;
  if (state.status === "acked") return run?.detail ?? `A person dropped it before ${agent} had answered.`;
  return `${agent} was stopped before it had ${run === undefined ? "begun" : "answered"}.`;
}
