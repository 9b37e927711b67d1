import { z } from "zod";
import { mustYield } from "../../domain/delivery/aging.ts";
import { waiting } from "../../domain/delivery/waiting.ts";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { finishedStep, leasedRun, leasedRunInput } from "./leased-run.ts";
import { giveWay } from "./yield-run.ts";
import { recordStep } from "./record-step.ts";
import { stopRun } from "./stop-run.ts";

/**
 * A finished step is on disk before the next one starts. When something more urgent waits, or the workspace was closed
 * meanwhile, the run gives way in the same transaction. What the step used is charged here, and a budget that is used up
 * ends the run.
 */
export const checkpointStep = proposal({
  name: "checkpoint-step",
  summary: "Keep a finished step of a run, and say whether the run may go on.",
  input: leasedRunInput.extend({ step: finishedStep }),
  output: z.object({
    /** The run was put aside after this step. */
    yielded: z.boolean(),
    /** Why the run was ended here: a budget is used up. Null when it goes on. */
    stopped: z.string().nullable(),
  }),
  access: systemOnly,

  async execute({ run: id, leaseOwner, step }, ctx) {
    const run = await leasedRun(ctx.store, id, leaseOwner);
    if (!run.ok) return run;
    const tokens = await recordStep(ctx, run.value, step);
    const stopped = await stopRun(ctx, run.value, tokens);
    if (stopped !== null) return ok({ yielded: false, stopped });
    const heads = await ctx.store.deliveries.heads(run.value.mailbox, ctx.now);
    const workspace = await ctx.store.workspaces.status(run.value.space);
    const urgent = workspace?.state === "closed" || mustYield(run.value.lane, heads.map(waiting), ctx.now);
    const deliveries = urgent ? await ctx.store.deliveries.ofRun(id) : [];
    // A run without deliveries has nothing to come back with: it goes on to its end.
    if (deliveries.length === 0) return ok({ yielded: false, stopped: null });
    await giveWay(ctx, { ...run.value, recoveries: 0 }, deliveries);
    return ok({ yielded: true, stopped: null });
  },
});
