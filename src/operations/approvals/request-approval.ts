import { createHash } from "node:crypto";
import { z } from "zod";
import { argsText, callLine } from "../../domain/agent/call-text.ts";
import { PERSON } from "../../domain/message/message.ts";
import type { Access } from "../../kernel/proposal.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { ApprovalRecord } from "../../ports/store/approval.ts";
import { proposal, type Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { isAllowedForRun } from "./allow-for-run.ts";
import { withdrawApprovals } from "./withdraw-approvals.ts";

export const runsOnly: Access = (caller) =>
  caller.kind === "agent" && caller.run !== null
    ? undefined
    : { code: "forbidden", message: "Only an agent at work asks for approval." };

const call = z.object({
  id: z.string().min(1).max(200),
  tool: z.string().min(1).max(200),
  args: z.unknown(),
  /** What people read in place of the arguments. */
  shown: z.unknown().optional(),
});

export const approvalState = z.object({
  id: z.string(),
  state: z.enum(["pending", "approved", "denied"]),
  reason: z.string().nullable(),
});
export type ApprovalState = z.output<typeof approvalState>;

/**
 * Requests a person's approval of a tool call. The same request again returns the state of the first. An approval is for
 * one call with its arguments, not for an id: a step that is executed again may use the same id for another call.
 */
export const requestApproval = proposal(
  {
    name: "request-approval",
    summary: "Ask a person whether a tool call may be made.",
    input: z.object({ call }),
    output: approvalState,
  },
  {
    access: runsOnly,

    async execute({ call: { id: callId, tool, args, shown = args } }, ctx) {
      const { caller } = ctx;
      const run = caller.kind === "agent" && caller.run !== null ? await ctx.store.runs.byId(caller.run) : undefined;
      if (run === undefined || run.state === "ended") {
        return refuse("conflict", "The run that asks has ended.", { hint: "Finish: nobody waits for it any more." });
      }
      const digest = createHash("sha256")
        .update(JSON.stringify([tool, args]))
        .digest("hex");
      const earlier = (await ctx.store.approvals.ofRun(run.id, callId)).findLast((each) => each.digest === digest);
      if (earlier !== undefined) return ok(toApprovalState(earlier));

      await withdrawApprovals(ctx, run.id, "Another call took its place.", (each) => each.call === callId);
      const allowed = await isAllowedForRun(ctx, run.id, { tool, args, digest });
      const approval: ApprovalRecord = {
        id: ctx.newId("apr"),
        space: run.space,
        agent: run.agent,
        run: run.id,
        call: callId,
        digest,
        tool,
        args: argsText(shown, ctx.services.redact),
        state: allowed ? "approved" : "pending",
        reason: null,
        decidedBy: allowed ? PERSON : null,
        requestedAt: ctx.now,
        decidedAt: allowed ? ctx.now : null,
      };
      await ctx.store.approvals.request(approval);
      if (allowed) return ok(toApprovalState(approval));
      await ctx.emit({
        type: "approval.requested",
        space: run.space,
        agent: run.agent,
        approval: approval.id,
      });
      await postNotice(ctx, spaceTarget(run.space), noticeText(ctx, approval, shown), null, run.id);
      return ok(toApprovalState(approval));
    },
  },
);

function toApprovalState({ id, state, reason }: ApprovalRecord): ApprovalState {
  return { id, state, reason };
}

/** The notice that is posted in the space of the run. */
function noticeText({ services }: Execute, { id, agent, tool }: ApprovalRecord, args: unknown): string {
  return [
    `${agent} wants to run ${callLine(tool, args, services.redact)}`,
    `Approve with: agent-worker approve ${id}`,
    `Refuse with: agent-worker deny ${id}`,
  ].join("\n");
}
