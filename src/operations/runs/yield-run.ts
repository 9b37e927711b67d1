import { z } from "zod";
import { transition } from "../../domain/delivery/state.ts";
import { ok } from "../../kernel/result.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { endRun } from "./end-run.ts";
import { leasedRun, leasedRunInput } from "./leased-run.ts";
import { putAside } from "./wait-run.ts";

/**
 * Parks a run between two steps. Its deliveries are pending again; leasing one of them resumes the run. A run whose
 * deliveries were all acknowledged ends here: nothing would resume it.
 */
export const yieldRun = proposal(
  {
    name: "yield-run",
    summary: "Put a run aside after its last finished step, for more urgent work.",
    input: leasedRunInput,
    output: z.object({ parked: z.boolean() }),
  },
  {
    access: systemOnly,

    async execute({ run: id, leaseOwner, fence }, ctx) {
      const run = await leasedRun(ctx.store, { run: id, leaseOwner, fence });
      if (!run.ok) return run;
      const deliveries = await ctx.store.deliveries.ofRun(id);
      if (deliveries.length === 0) {
        await endRun(ctx, run.value, "stopped", "It was interrupted when nobody waited for it any more.");
        return ok({ parked: false });
      }
      await parkRun(ctx, run.value, deliveries);
      return ok({ parked: true });
    },
  },
);

/** Parks the run and makes its deliveries pending again. */
export async function parkRun(ctx: Execute, run: RunRecord, deliveries: readonly DeliveryRecord[]): Promise<void> {
  for (const delivery of deliveries) {
    const next = transition(delivery.state, { kind: "yield", at: ctx.now });
    if (!next.ok) continue;
    const progress = { state: next.value, leaseOwner: null, run: run.id };
    await ctx.store.deliveries.advance(delivery.id, { status: "leased", leaseOwner: run.leaseOwner }, progress);
  }
  await putAside(ctx, run);
}
