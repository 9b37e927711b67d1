import { z } from "zod";
import type { Budget } from "../../domain/agent/definition.ts";
import { mustYield } from "../../domain/delivery/aging.ts";
import { waiting } from "../../domain/delivery/waiting.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { finishedStep, leasedRun, leasedRunInput } from "./leased-run.ts";
import { recordStep } from "./record-step.ts";
import { stopRun } from "./stop-run.ts";
import { parkRun } from "./yield-run.ts";

/**
 * Stores a finished step before the next one starts, and charges what it used. Ends the run when a budget is used up.
 * Parks the run when something more urgent waits or the workspace was closed.
 */
export const checkpointStep = proposal(
  {
    name: "checkpoint-step",
    summary: "Keep a finished step of a run, and say whether the run may go on.",
    input: leasedRunInput.extend({ step: finishedStep, budgetAtStart: z.custom<Budget>().optional() }),
    output: z.object({
      /** The run was parked after this step. */
      yielded: z.boolean(),
      /** Which budget is used up, so that the run ended here; null when it continues. */
      stopped: z.string().nullable(),
    }),
  },
  {
    access: systemOnly,

    async execute({ run: id, leaseOwner, fence, step, budgetAtStart }, ctx) {
      const run = await leasedRun(ctx.store, { run: id, leaseOwner, fence });
      if (!run.ok) return run;
      const tokens = await recordStep(ctx, run.value, step);
      const stopped = await stopRun(ctx, run.value, tokens, budgetAtStart);
      if (stopped !== null) return ok({ yielded: false, stopped });
      const { space, lane } = run.value;
      const isClosed = async (key: string) => (await ctx.store.workspaces.status(key))?.state === "closed";
      const [heads, isStopped, isOver] = await Promise.all([
        ctx.store.deliveries.heads(run.value.mailbox, ctx.now),
        isClosed(workspaceOf(space)),
        isClosed(space),
      ]);
      // In a sub-space that was closed for good nothing would resume the run: it goes on to its end.
      const mustPark = isStopped || (!isOver && mustYield(lane, heads.map(waiting), ctx.now));
      const deliveries = mustPark ? await ctx.store.deliveries.ofRun(id) : [];
      // Only a delivery resumes a run: one without deliveries continues to its end.
      if (deliveries.length === 0) return ok({ yielded: false, stopped: null });
      await parkRun(ctx, { ...run.value, recoveries: 0 }, deliveries);
      return ok({ yielded: true, stopped: null });
    },
  },
);
