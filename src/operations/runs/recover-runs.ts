import { z } from "zod";
import { decideRecovery } from "../../domain/delivery/recovery.ts";
import { transition } from "../../domain/delivery/state.ts";
import { ok } from "../../kernel/result.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { endRun } from "./end-run.ts";
import { failRun } from "./fail-run.ts";

/**
 * The first thing a daemon does with a store: parks the runs that another daemon instance left open and releases their
 * deliveries. They resume after their last finished step, exactly as runs that yielded do.
 */
export const recoverRuns = proposal(
  {
    name: "recover-runs",
    summary: "Give back what a daemon that is gone was working on.",
    input: z.object({ leaseOwner: z.string() }),
    output: z.object({ runs: z.int(), buried: z.int() }),
  },
  {
    access: systemOnly,

    async execute({ leaseOwner }, ctx) {
      const orphaned = (await ctx.store.runs.unfinished()).filter(
        (run) => run.state === "open" && run.leaseOwner !== leaseOwner,
      );
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
      return ok({ runs: orphaned.length, buried });
    },
  },
);

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
  await ctx.store.runs.move(run.id, { ...run, state: "parked", recoveries: deaths });
  ctx.wake(run.mailbox);
}
