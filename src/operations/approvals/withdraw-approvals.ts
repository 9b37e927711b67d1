import { SYSTEM } from "../../domain/message/message.ts";
import type { ApprovalRecord } from "../../ports/store/approval.ts";
import type { Execute } from "../core/define.ts";

/** Denies the pending approvals of a run that need no decision any more. */
export async function withdrawApprovals(
  ctx: Execute,
  run: string,
  reason: string,
  which: (approval: ApprovalRecord) => boolean = () => true,
): Promise<void> {
  for (const approval of await ctx.store.approvals.ofRun(run)) {
    if (approval.state !== "pending" || !which(approval)) continue;
    await recordDecision(ctx, approval, { state: "denied", reason, decidedBy: SYSTEM });
  }
}

/** Returns false when it was already decided. */
export async function recordDecision(
  ctx: Execute,
  { id, space, agent }: ApprovalRecord,
  decision: Pick<ApprovalRecord, "reason" | "decidedBy"> & { readonly state: "approved" | "denied" },
): Promise<boolean> {
  if (!(await ctx.store.approvals.decide(id, { ...decision, decidedAt: ctx.now }))) return false;
  const { state } = decision;
  await ctx.emit({ type: "approval.decided", space, agent, approval: id, state });
  return true;
}
