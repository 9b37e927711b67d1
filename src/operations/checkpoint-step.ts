import { z } from "zod";
import { mustYield } from "../domain/delivery/aging.ts";
import { ok } from "../kernel/result.ts";
import { systemOnly } from "./access.ts";
import { proposal } from "./define.ts";
import { finishedStep, heldRun, heldRunInput, waiting } from "./held-run.ts";
import { recordStep } from "./record-step.ts";
import { stopRun } from "./stop-run.ts";

/**
 * A finished step is on disk before the next one starts, and the same look tells whether something more urgent waits, or
 * the workspace was closed meanwhile. What the step used is charged here, and a budget that is used up ends the run.
 */
export const checkpointStep = proposal({
  name: "checkpoint-step",
  summary: "Keep a finished step of a run, and say whether the run may go on.",
  input: heldRunInput.extend({ step: finishedStep }),
  output: z.object({
    mustYield: z.boolean(),
    /** Why the run was ended here: a budget is used up. Null when it goes on. */
    stopped: z.string().nullable(),
  }),
  access: systemOnly,
  space: ({ space }) => space,

  async execute({ run: id, holder, step }, ctx) {
    const run = await heldRun(ctx.store, id, holder);
    if (!run.ok) return run;
    const tokens = await recordStep(ctx, run.value, step);
    const stopped = await stopRun(ctx, run.value, tokens);
    if (stopped !== null) return ok({ mustYield: false, stopped });
    const heads = await ctx.store.deliveries.heads(run.value.mailbox, ctx.now);
    const workspace = await ctx.store.workspaces.status(run.value.space);
    const urgent = workspace?.state === "closed" || mustYield(run.value.lane, heads.map(waiting), ctx.now);
    // A run without deliveries has nothing to come back with: it goes on to its end.
    return ok({ mustYield: urgent && (await ctx.store.deliveries.ofRun(id)).length > 0, stopped: null });
  },
});
