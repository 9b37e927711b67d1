import { z } from "zod";
import { mustYield } from "../domain/delivery/aging.ts";
import { ok } from "../kernel/result.ts";
import { systemOnly } from "./access.ts";
import { proposal } from "./define.ts";
import { finishedStep, heldRun, heldRunInput, waiting } from "./held-run.ts";

/** A finished step is on disk before the next one starts, and the same look tells whether something more urgent waits. */
export const checkpointStep = proposal({
  name: "checkpoint-step",
  summary: "Keep a finished step of a run, and say whether the run must give way now.",
  input: heldRunInput.extend({ step: finishedStep }),
  output: z.object({ mustYield: z.boolean() }),
  access: systemOnly,
  space: ({ space }) => space,

  async execute({ run: id, holder, step }, ctx) {
    const run = await heldRun(ctx.store, id, holder);
    if (!run.ok) return run;
    await ctx.store.runs.checkpoint({ run: id, ...step, finishedAt: ctx.now });
    const heads = await ctx.store.deliveries.heads(run.value.mailbox, ctx.now);
    const urgent = mustYield(run.value.lane, heads.map(waiting), ctx.now);
    // A run without deliveries has nothing to come back with: it goes on to its end.
    return ok({ mustYield: urgent && (await ctx.store.deliveries.ofRun(id)).length > 0 });
  },
});
