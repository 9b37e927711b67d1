import { transition } from "../../domain/delivery/state.ts";
import type { WaitKind } from "../../domain/outcome.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { findRunAgent, fingerprintOf } from "./run-agent.ts";

/**
 * Lets runs that wait for quota or for their next attempt go on at once when the definition of their agent has changed: a
 * person may have named another model, and must not wait for the time that the old one asked for.
 */
export async function hurryChangedRuns(ctx: Execute): Promise<void> {
  for (const run of await ctx.store.runs.unfinished()) {
    const waitsForTime = run.state === "parked" && run.waitsFor !== null && WAITS_FOR_TIME.has(run.waitsFor);
    if (waitsForTime && (await isChanged(ctx, run))) await hurry(ctx, run);
  }
}

const WAITS_FOR_TIME: ReadonlySet<WaitKind> = new Set(["quota", "provider", "retry"] as const);

async function isChanged({ store, services }: Execute, run: RunRecord): Promise<boolean> {
  const found = await findRunAgent(store, services.definitions, run);
  return found.kind === "found" && run.definition !== null && fingerprintOf(found.agent) !== run.definition.fingerprint;
}

async function hurry(ctx: Execute, { id }: RunRecord): Promise<void> {
  for (const delivery of await ctx.store.deliveries.ofRun(id)) {
    if (delivery.state.status !== "pending") continue;
    const next = transition(delivery.state, { kind: "hurry" });
    if (!next.ok) throw new Error(`${delivery.id}: ${next.error.message}`);
    const from = { status: "pending", leaseOwner: null } as const;
    await ctx.store.deliveries.advance(delivery.id, from, { state: next.value, leaseOwner: null, run: id });
  }
}
