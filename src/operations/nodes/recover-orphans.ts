import { decideRecovery } from "../../domain/delivery/recovery.ts";
import { transition } from "../../domain/delivery/state.ts";
import { isLive } from "../../domain/node/node.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { endRun } from "../runs/end-run.ts";
import { failRun } from "../runs/fail-run.ts";
import { putAside } from "../runs/wait-run.ts";

/**
 * Parks the open runs of nodes that are gone, and releases their deliveries: nodes that left, that were replaced, or whose
 * last beat is older than their lease, in the time of the store. A node that only was cut off finds its runs taken.
 */
export async function recoverOrphans(
  ctx: Execute,
  leaseOwner: string,
): Promise<{ readonly runs: number; readonly buried: number }> {
  const foreign = (await ctx.store.runs.unfinished()).filter(
    (run) => run.state === "open" && run.leaseOwner !== leaseOwner,
  );
  if (foreign.length === 0) return { runs: 0, buried: 0 };
  const time = await ctx.store.time();
  const live = new Set((await ctx.store.nodes.list()).flatMap((node) => (isLive(node, time) ? [node.instance] : [])));
  const orphaned = foreign.filter((run) => !live.has(run.leaseOwner));
  let buried = 0;
  for (const { run, decision } of decideRecovery(orphaned, ctx.now)) {
    const deliveries = await ctx.store.deliveries.ofRun(run.id);
    if (deliveries.length === 0)
      await endRun(ctx, run, "stopped", "The daemon died when nobody waited for it any more.");
    else if (decision.action === "resume") await parkOrphaned(ctx, run, deliveries, decision);
    else {
      await failRun(ctx, run, deliveries, `The daemon died ${decision.deaths} times while working on this.`);
      buried += 1;
    }
  }
  return { runs: orphaned.length, buried };
}

async function parkOrphaned(
  ctx: Execute,
  run: RunRecord,
  deliveries: readonly DeliveryRecord[],
  { deaths, notBefore }: { readonly deaths: number; readonly notBefore: number | null },
): Promise<void> {
  for (const { id, state, leaseOwner } of deliveries) {
    const next = transition(state, { kind: "lease-lost", notBefore });
    if (!next.ok) continue;
    await ctx.store.deliveries.advance(
      id,
      { status: state.status, leaseOwner },
      { state: next.value, leaseOwner: null, run: run.id },
    );
  }
  await putAside(ctx, { ...run, recoveries: deaths });
  ctx.wake(run.mailbox);
}
