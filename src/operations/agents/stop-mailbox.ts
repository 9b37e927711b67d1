import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { withdrawApprovals } from "../approvals/withdraw-approvals.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { endWait } from "../runs/wait-run.ts";

/**
 * Stores that a person stopped an agent. Its loop begins no run until something new comes for it, and the calls it asked
 * for are refused: whoever stops an agent must not start it again by answering an older question.
 */
export const stopMailbox = proposal(
  {
    name: "stop-mailbox",
    summary: "Let an agent take no work until something new comes for it.",
    input: z.object({ mailbox: z.string() }),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute({ mailbox }, ctx) {
      await ctx.store.stops.add({ mailbox, at: ctx.now });
      await refuseWaitingCalls(ctx, mailbox);
      return ok({});
    },
  },
);

async function refuseWaitingCalls(ctx: Execute, mailbox: string): Promise<void> {
  for (const run of await ctx.store.runs.unfinished()) {
    if (run.mailbox !== mailbox) continue;
    await withdrawApprovals(ctx, run.id, "The agent was stopped before anybody decided.");
    if (run.waitsFor === "approval" && run.state === "waiting") await endWait(ctx, run);
  }
}
