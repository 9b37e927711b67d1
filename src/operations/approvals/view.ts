import type { ApprovalView } from "../../contract/approvals.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { ApprovalRecord } from "../../ports/store/approval.ts";

export function toApprovalView(approval: ApprovalRecord): ApprovalView {
  const { id, space, mailbox, run, tool, args, state, reason, decidedBy, requestedAt, decidedAt } = approval;
  return {
    id,
    space,
    agent: mailboxAgent(mailbox),
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
