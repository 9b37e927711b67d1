import { z } from "zod";
import { newDelivery, transition } from "../../domain/delivery/state.ts";
import { ok } from "../../kernel/result.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import { systemOnly } from "../core/access.ts";
import { chargeChain } from "../messages/charge-chain.ts";
import { proposal, type Execute } from "../core/define.ts";
import { finishedStep, leasedRun, leasedRunInput } from "./leased-run.ts";
import { recordStep } from "./record-step.ts";

/**
 * A run waits for a person, after the step that ended with the question. It keeps its deliveries, so nobody else takes
 * them, and nobody holds it: a restart, or closing its workspace, changes nothing. The agent does its other work
 * meanwhile. Deciding brings the run back; `decide-approval.ts`.
 */
export const awaitApproval = proposal({
  name: "hold-run",
  summary: "Keep a finished step of a run, and let the run wait for a person's approval.",
  input: leasedRunInput.extend({ step: finishedStep, approval: z.string() }),
  /** False: the person was faster, or there is nothing to wait for. The run goes on at once. */
  output: z.object({ waits: z.boolean() }),
  access: systemOnly,

  async execute({ run: id, leaseOwner, step, approval }, ctx) {
    const held = await leasedRun(ctx.store, id, leaseOwner);
    if (!held.ok) return held;
    const run = held.value;
    const tokens = await recordStep(ctx, run, step);
    if (tokens > 0) await chargeChain(ctx, run, tokens, { ahead: false, announce: true });
    const asked = await ctx.store.approvals.byId(approval);
    if (asked?.run !== id || asked.state !== "pending") return ok({ waits: false });

    if ((await ctx.store.deliveries.ofRun(id)).length === 0) await bringBack(ctx, run);
    await ctx.store.runs.move(id, { ...run, state: "waiting" });
    return ok({ waits: true });
  },
});

/** The agent has acknowledged all it was to answer. A run comes back with a delivery, so it gets its first one again. */
async function bringBack(ctx: Execute, { id, cause, space, mailbox, lane, leaseOwner }: RunRecord): Promise<void> {
  const message = await ctx.store.messages.byId(cause);
  const leased = transition(newDelivery(), { kind: "lease" });
  if (message === undefined || !leased.ok) return;
  const delivery = ctx.newId("dlv");
  await ctx.store.deliveries.add({ id: delivery, messageSeq: message.seq, space, mailbox, lane, enqueuedAt: ctx.now });
  await ctx.store.deliveries.advance(
    delivery,
    { status: "pending", leaseOwner: null },
    { state: leased.value, leaseOwner, run: id },
  );
}
