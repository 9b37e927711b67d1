import { z } from "zod";
import { newDelivery, transition } from "../../domain/delivery/state.ts";
import { ok } from "../../kernel/result.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { chargeStepToChain } from "../messages/chain-budget.ts";
import { finishedStep, leasedRun, leasedRunInput } from "./leased-run.ts";
import { recordStep } from "./record-step.ts";
import { waitRun } from "./wait-run.ts";

/**
 * Stores the step that requested an approval and lets the run wait for the decision. The run keeps its deliveries, and a
 * restart or closing its workspace does not affect it. The agent works on other runs meanwhile. `decide-approval.ts`
 * resumes the run.
 */
export const awaitApproval = proposal(
  {
    name: "await-approval",
    summary: "Keep a finished step of a run, and let the run wait for a person's approval.",
    input: leasedRunInput.extend({ step: finishedStep, approval: z.string() }),
    output: z.object({ waits: z.boolean() }),
  },
  {
    access: systemOnly,

    async execute({ run: id, leaseOwner, fence, step, approval }, ctx) {
      const leased = await leasedRun(ctx.store, { run: id, leaseOwner, fence });
      if (!leased.ok) return leased;
      const run = leased.value;
      const tokens = await recordStep(ctx, run, step);
      if (tokens > 0) await chargeStepToChain(ctx, run, tokens, { ahead: false, announce: true });
      const request = await ctx.store.approvals.byId(approval);
      if (request?.run !== id || request.state !== "pending") return ok({ waits: false });

      if ((await ctx.store.deliveries.ofRun(id)).length === 0) await deliverAgain(ctx, run);
      const reason = `It waits for the approval ${approval}.`;
      await waitRun(ctx, run, { state: "waiting", waitsFor: "approval", waitsUntil: null, reason });
      return ok({ waits: true });
    },
  },
);

/** The agent acknowledged all deliveries of the run. Only a delivery resumes a run, so it gets the first one again. */
async function deliverAgain(
  ctx: Execute,
  { id, cause, space, mailbox, agent, lane, leaseOwner }: RunRecord,
): Promise<void> {
  const message = await ctx.store.messages.byId(cause);
  const leased = transition(newDelivery(), { kind: "lease" });
  if (message === undefined || !leased.ok) return;
  const delivery = ctx.newId("dlv");
  const place = { messageSeq: message.seq, space, mailbox, agent };
  await ctx.store.deliveries.add({ ...place, id: delivery, lane, enqueuedAt: ctx.now, awaited: false });
  await ctx.store.deliveries.advance(
    delivery,
    { status: "pending", leaseOwner: null },
    { state: leased.value, leaseOwner, run: id },
  );
}
