import type { z } from "zod";
import type { ApprovalView, decisionInput } from "../../contract/approvals.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { callerName } from "../core/access.ts";
import { isExpectedSpace } from "../core/caller-space.ts";
import type { Execute } from "../core/define.ts";
import { redactOptional } from "../core/redact-texts.ts";
import { wakeAgent } from "../core/wake-agent.ts";
import { findRunAgent, missingText } from "../runs/run-agent.ts";
import { endWait } from "../runs/wait-run.ts";
import { toApprovalView } from "./view.ts";
import { recordDecision } from "./withdraw-approvals.ts";

/** Decides an approval once. The waiting run resumes: it makes the call, or gets the reason why it may not. */
export async function decideApproval(
  ctx: Execute,
  { id, target, ...data }: z.output<typeof decisionInput>,
  state: "approved" | "denied",
): Promise<Result<ApprovalView, Refusal>> {
  const approval = await ctx.store.approvals.byId(id);
  const hint = "Take the id from: agent-worker approval list.";
  if (approval === undefined || !isExpectedSpace(approval.space, target, ctx.caller)) {
    return refuse("not_found", `There is no approval "${id.slice(0, 64)}".`, { hint });
  }
  const running = await checkOpen(ctx, approval.space);
  if (!running.ok) return running;
  if (state === "approved") {
    const agent = await findRunAgent(ctx.store, ctx.services.definitions, approval);
    if (agent.kind !== "found") {
      return refuse("not_found", `${approval.agent} could not go on with it. ${missingText(agent)}`, {
        hint: `Mend that first, or refuse the call: agent-worker deny ${id}`,
      });
    }
  }
  const reason = redactOptional(data.reason, ctx.services.redact);
  const decision = { state, reason, decidedBy: callerName(ctx.caller) };
  if (!(await recordDecision(ctx, approval, decision))) {
    return refuse("conflict", `"${id}" was ${approval.state} by ${approval.decidedBy} already.`, {
      hint,
      details: { state: approval.state },
    });
  }
  const run = await ctx.store.runs.byId(approval.run);
  if (run?.state === "waiting") {
    await endWait(ctx, run);
    await wakeAgent(ctx, run.mailbox);
  }
  return ok(toApprovalView({ ...approval, ...decision, decidedAt: ctx.now }));
}

/** In a workspace that is stopped nothing would follow from a decision. */
async function checkOpen(ctx: Execute, key: string): Promise<Result<unknown, Refusal>> {
  const space = parseSpace(key);
  if (!space.ok || space.value.kind !== "workspace") return ok(undefined);
  const running = (await ctx.store.workspaces.status(key))?.state === "open";
  return checkRunning({ ...space.value, running, participants: [] });
}
