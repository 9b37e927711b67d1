import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { recoverOrphans } from "../nodes/recover-orphans.ts";

/**
 * What a daemon does with a store after it has joined: it parks the runs that nodes left open that are gone. They resume
 * after their last finished step, exactly as runs that yielded do.
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
      return ok(await recoverOrphans(ctx, leaseOwner));
    },
  },
);
