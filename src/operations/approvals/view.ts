import type { ApprovalView } from "../../contract/approvals.ts";
import type { ApprovalRecord } from "../../ports/store/approval.ts";

export function toApprovalView(approval: ApprovalRecord): ApprovalView {
  const { id, space, agent, run, tool, args, state, reason, decidedBy, requestedAt, decidedAt } = approval;
  return {
    id,
    space,
    agent,
    run,
    tool,
    args,
    state,
    reason,
    decidedBy,
    requestedAt: new Date(requestedAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
  };
}
