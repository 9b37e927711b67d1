import { z } from "zod";
import { approvalView } from "../../contract/approval.ts";
import { transition } from "../../domain/delivery/state.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import { callerName } from "../core/access.ts";
import { toApprovalView } from "./view.ts";
import type { Execute } from "../core/define.ts";
import { recordDecision } from "./withdraw-approvals.ts";

/** What a person may say to a tool call that waits for it. */
export const decisionInput = z.object({
  id: z.string().describe("Id of the approval, from the list of approvals."),
  reason: z.string().max(2000).optional().describe("Told to the agent when the call is refused."),
  target: z.string().optional().describe("Needed for a workspace kept in memory: @review"),
});

export const decisionOutput = approvalView;

/** Once and for all. The run that waited goes on: it makes the call, or is told why it may not. */
export async function decideApproval(
  ctx: Execute,
  { id, reason: said }: z.output<typeof decisionInput>,
  state: "approved" | "denied",
): Promise<Result<z.output<typeof decisionOutput>, Refusal>> {
  const approval = await ctx.store.approvals.byId(id);
  const hint = "Take the id from: agent-worker approval list. A workspace kept in memory must be named as target.";
  if (approval === undefined) return refuse("not_found", `There is no approval "${id.slice(0, 64)}".`, { hint });
  const reason = said === undefined || said.trim() === "" ? null : ctx.services.redact(said.trim());
  const decision = { state, reason, decidedBy: callerName(ctx.caller) };
  if (!(await recordDecision(ctx, approval, decision))) {
    return refuse("conflict", `"${id}" was ${approval.state} by ${approval.decidedBy} already.`, { hint });
  }
  const run = await ctx.store.runs.byId(approval.run);
  if (run?.state === "waiting") await goOn(ctx, run);
  return ok(toApprovalView({ ...approval, ...decision, decidedAt: ctx.now }));
}

async function goOn(ctx: Execute, run: RunRecord): Promise<void> {
  for (const { id, state, leaseOwner } of await ctx.store.deliveries.ofRun(run.id)) {
    const next = transition(state, { kind: "release", at: ctx.now });
    if (!next.ok) continue;
    await ctx.store.deliveries.advance(
      id,
      { status: state.status, leaseOwner },
      { state: next.value, leaseOwner: null, run: run.id },
    );
  }
  await ctx.store.runs.move(run.id, { ...run, state: "parked" });
  ctx.wake(run.mailbox);
}
