import * as contract from "../../contract/inbox.ts";
import { transition } from "../../domain/delivery/state.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { withdrawApprovals } from "../approvals/withdraw-approvals.ts";
import { everyone } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { endRun } from "../runs/end-run.ts";

/**
 * Marks deliveries as handled, all or none: one id that is unknown or belongs to another agent refuses the whole request.
 * Acknowledging twice changes nothing.
 */
export const ackDeliveries = proposal(contract.ackDeliveries, {
  access: everyone,

  async execute(data, ctx) {
    const { caller } = ctx;
    const ids = [...new Set(data.ids)];
    const deliveries = await ctx.store.deliveries.byIds(ids);
    const found = new Set(deliveries.map(({ id }) => id));
    const unknown = ids.filter((id) => !found.has(id));
    const foreign = deliveries.filter(
      ({ agent, space }) =>
        (caller.kind === "agent" && (agent !== caller.name || space !== caller.space)) ||
        (data.agent !== undefined && agent !== data.agent),
    );
    // One refusal for both: an agent must not learn which ids exist in other inboxes.
    const refused = [...unknown, ...foreign.map(({ id }) => id)];
    if (refused.length > 0) {
      return refuse(
        "not_found",
        `There is no such delivery in this inbox: ${refused.join(", ")}. Nothing was acknowledged.`,
        {
          hint: "Take the ids from the inbox.",
          details: { ids: refused },
        },
      );
    }

    const acked: string[] = [];
    for (const delivery of deliveries) {
      const next = transition(delivery.state, { kind: "ack" });
      if (!next.ok) return next;
      if (next.value === delivery.state) continue;
      const { id, leaseOwner, run, space, agent } = delivery;
      await ctx.store.deliveries.advance(
        id,
        { status: delivery.state.status, leaseOwner },
        { state: next.value, leaseOwner: null, run },
      );
      await ctx.emit({ type: "delivery.acked", space, agent, delivery: id });
      acked.push(id);
    }
    for (const run of new Set(deliveries.map((each) => each.run))) await endIfDone(ctx, run);
    return ok({ acked });
  },
});

/** Ends a parked or waiting run without open deliveries: only a delivery resumes a run. */
async function endIfDone(ctx: Execute, id: string | null): Promise<void> {
  const run = id === null ? undefined : await ctx.store.runs.byId(id);
  if (run === undefined || (run.state !== "parked" && run.state !== "waiting")) return;
  if ((await ctx.store.deliveries.ofRun(run.id)).length > 0) return;
  await withdrawApprovals(ctx, run.id, "Everything its run was to answer was acknowledged.");
  await endRun(ctx, run, "stopped", "Everything it was to answer was acknowledged.");
}
