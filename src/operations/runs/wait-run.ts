import { transition } from "../../domain/delivery/state.ts";
import type { WaitKind } from "../../domain/outcome.ts";
import { NOT_WAITING, type RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";

/** Lets a run wait, and records for what and until when. The caller moves its deliveries. */
export async function waitRun(
  ctx: Execute,
  run: RunRecord,
  wait: Pick<RunRecord, "state" | "waitsUntil" | "reason"> & { readonly waitsFor: WaitKind },
): Promise<void> {
  await ctx.store.runs.move(run.id, { ...run, ...wait, waitsSince: ctx.now });
  const { waitsFor, waitsUntil: until } = wait;
  await ctx.emit({ type: "run.waits", space: run.space, agent: run.agent, run: run.id, waitsFor, until });
}

/** Puts a run aside: it goes on from its last step when it is its turn. The caller moves its deliveries. */
export async function putAside(ctx: Execute, run: RunRecord): Promise<void> {
  await ctx.store.runs.move(run.id, { ...run, state: "parked", waitsSince: ctx.now });
  await ctx.emit({ type: "run.parked", space: run.space, agent: run.agent, run: run.id });
}

/** Announces that a run which waited for something goes on. */
export async function announceResumed(ctx: Execute, { id, space, agent }: RunRecord): Promise<void> {
  await ctx.emit({ type: "run.resumed", space, agent, run: id });
}

/** Ends the wait of a run for a person. It goes on from its last step as soon as its agent takes work. */
export async function endWait(ctx: Execute, run: RunRecord): Promise<void> {
  for (const { id, state, leaseOwner } of await ctx.store.deliveries.ofRun(run.id)) {
    const next = transition(state, { kind: "release", at: ctx.now });
    if (!next.ok) continue;
    await ctx.store.deliveries.advance(
      id,
      { status: state.status, leaseOwner },
      { state: next.value, leaseOwner: null, run: run.id },
    );
  }
  await ctx.store.runs.move(run.id, { ...run, ...NOT_WAITING, waitsSince: ctx.now, state: "parked" });
  await announceResumed(ctx, run);
}
