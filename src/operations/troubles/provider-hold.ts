import { transition } from "../../domain/delivery/state.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { waitRun } from "../runs/wait-run.ts";

/**
 * Parks a run that has just begun while another run of its agent waits for the time that the provider named: the provider
 * must not be asked before, whatever comes for the agent. Returns whether it was parked. An agent whose files changed
 * meanwhile is not held: it may have another model.
 */
export async function holdForProvider(
  ctx: Execute,
  { run, deliveries }: { readonly run: RunRecord; readonly deliveries: readonly DeliveryRecord[] },
  /** Of the definition that the agent has now. */
  fingerprint: string,
): Promise<boolean> {
  const holding = (await ctx.store.runs.unfinished()).find((each) => holds(each, run, fingerprint, ctx.now));
  if (holding?.waitsFor == null || holding.waitsUntil === null) return false;
  const { waitsFor, waitsUntil, reason } = holding;
  for (const delivery of deliveries) {
    const next = transition(delivery.state, { kind: "park", until: waitsUntil });
    if (!next.ok) throw new Error(`${delivery.id}: ${next.error.message}`);
    const from = { status: "leased", leaseOwner: run.leaseOwner } as const;
    await ctx.store.deliveries.advance(delivery.id, from, { state: next.value, leaseOwner: null, run: run.id });
  }
  await waitRun(ctx, run, { state: "parked", waitsFor, waitsUntil, reason });
  return true;
}

function holds(other: RunRecord, run: RunRecord, fingerprint: string, now: number): boolean {
  return (
    other.id !== run.id &&
    other.mailbox === run.mailbox &&
    other.state === "parked" &&
    (other.waitsFor === "quota" || other.waitsFor === "provider") &&
    (other.waitsUntil ?? 0) > now &&
    other.definition?.fingerprint === fingerprint
  );
}
