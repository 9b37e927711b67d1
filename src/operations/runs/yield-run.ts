import { z } from "zod";
import { transition } from "../../domain/delivery/state.ts";
import { ok } from "../../kernel/result.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { endRun } from "./end-run.ts";
import { leasedRun, leasedRunInput } from "./leased-run.ts";

/**
 * A run gives way between two steps. Its deliveries wait again, and whoever takes them resumes it where it stopped.
 * One whose deliveries were all acknowledged meanwhile ends here: nothing would ever bring it back.
 */
export const yieldRun = proposal({
  name: "park-run",
  summary: "Put a run aside after its last finished step, for more urgent work.",
  input: leasedRunInput,
  output: z.object({ parked: z.boolean() }),
  access: systemOnly,

  async execute({ run: id, leaseOwner }, ctx) {
    const run = await leasedRun(ctx.store, id, leaseOwner);
    if (!run.ok) return run;
    const deliveries = await ctx.store.deliveries.ofRun(id);
    if (deliveries.length === 0) {
      await endRun(ctx, run.value, "cancelled", "It was interrupted when nobody waited for it any more.");
      return ok({ parked: false });
    }
    await giveWay(ctx, run.value, deliveries);
    return ok({ parked: true });
  },
});

/** Puts the run aside with the deliveries it came for. */
export async function giveWay(ctx: Execute, run: RunRecord, deliveries: readonly DeliveryRecord[]): Promise<void> {
  for (const delivery of deliveries) {
    const next = transition(delivery.state, { kind: "yield", at: ctx.now });
    if (!next.ok) continue;
    const progress = { state: next.value, leaseOwner: null, run: run.id };
    await ctx.store.deliveries.advance(delivery.id, { status: "leased", leaseOwner: run.leaseOwner }, progress);
  }
  await ctx.store.runs.move(run.id, { ...run, state: "parked" });
}
