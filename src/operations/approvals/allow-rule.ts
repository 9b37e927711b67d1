import type { AllowRuleView } from "../../contract/approvals.ts";
import { callRequest, rulesFor } from "../../domain/approval/call-rule.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ApprovalRecord } from "../../ports/store/approval.ts";
import { findAgent } from "../agents/find-agent.ts";
import type { Read } from "../core/define.ts";
import { storedArgs } from "./stored-args.ts";

/**
 * Adds a rule to the file of the agent that allows the call of an approval always, or only shows it. What the person
 * adds is consent to it, unless the file has other changes that the person has not seen.
 */
export async function addAllowRule(
  ctx: Read,
  id: string,
  { write }: { readonly write: boolean },
): Promise<Result<AllowRuleView, Refusal>> {
  const approval = await ctx.read((store) => store.approvals.byId(id));
  if (approval?.state !== "pending") {
    return refuse("not_found", `No approval "${id.slice(0, 64)}" waits.`, {
      hint: "Take the id from: agent-worker pending",
    });
  }
  const { definitions, trust } = ctx.services;
  const agent = await agentOf(ctx, approval);
  if (!agent.ok) return agent;
  const before = await findAgent(definitions, agent.value);
  if (!before.ok) return before;
  const args = storedArgs(approval);
  if (args === undefined) {
    return refuse("conflict", "The call is too long for a rule.", { hint: "Allow it once, or for the run." });
  }
  const patterns = rulesFor(before.value.permissions, callRequest(approval.tool, args));
  if (!patterns.ok) return patterns;
  const wasSeen = trust.unseenOfAgent(before.value, null).length === 0;
  const changed = await definitions.allowCalls(agent.value, patterns.value, { write });
  if (!changed.ok) return changed;
  const after = definitions.agent(agent.value);
  if (write && wasSeen && after !== undefined) trust.acceptAgent(after, "kept");
  return ok({ agent: agent.value, patterns: patterns.value, ...changed.value });
}

/** Returns the agent of the project that asked. A participant that is defined inside a workflow has no file. */
async function agentOf(ctx: Read, { space, agent }: ApprovalRecord): Promise<Result<string, Refusal>> {
  const place = parseSpace(space);
  if (!place.ok || place.value.kind === "dm") return ok(agent);
  const ref = (await ctx.read((store) => store.workspaces.member(space, agent)))?.ref ?? null;
  if (ref !== null) return ok(ref);
  return refuse("conflict", `${agent} is defined inside its workflow and has no file of its own.`, {
    hint: "Allow it once, or for the run.",
  });
}
