import * as contract from "../../contract/spaces/grants.ts";
import { TEAM_TOOL_NAMES } from "../../domain/agent/team-tool-names.ts";
import { choiceWithGrants, decideTeamTool, isPreset, MACHINE_TOOLS } from "../../domain/agent/tool-choice.ts";
import { formatGrant, type Grant, type HeldGrant } from "../../domain/grant/grant.ts";
import { afterGrant } from "../../domain/grant/held-grants.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { findRunAgent } from "../runs/run-agent.ts";
import { changeGrants } from "./change-grants.ts";
import { findGrantReceiver, type GrantReceiver } from "./grant-receiver.ts";

/**
 * Gives an agent tools of the team. A person gives any of them; an agent gives what it holds with the right to hand it
 * on. What the definition of the receiver denies cannot be given, and powers on this machine are in its definition only.
 */
export const grantTools = proposal(contract.grantTools, {
  access: everyone,

  async execute({ agent: written, tools: named, reason, handOn }, ctx) {
    const receiver = await findGrantReceiver(ctx, written);
    if (!receiver.ok) return receiver;
    const grant: Grant = { agent: receiver.value.agent, tools: [...new Set(named)], handOn };
    const known = checkTools(grant.tools);
    if (!known.ok) return known;
    const before = await ctx.store.grants.inSpace(receiver.value.space);
    const allowed = await checkGiver(ctx, before, grant);
    if (!allowed.ok) return allowed;
    const denied = await checkDenied(ctx, receiver.value, grant.tools);
    if (!denied.ok) return denied;
    const after = afterGrant(before, callerName(ctx.caller), grant);
    if (isSame(before, after)) {
      return refuse("conflict", `${grant.agent} holds this by a grant already: ${grant.tools.join(", ")}.`);
    }
    return changeGrants(ctx, receiver.value, { kind: "grant", text: formatGrant(grant), reason, before, after });
  },
});

function checkTools(tools: readonly string[]): Result<undefined, Refusal> {
  const unknown = tools.find((tool) => !TEAM_TOOL_NAMES.includes(tool) && !isPreset(tool));
  if (unknown === undefined) return ok(undefined);
  if (MACHINE_TOOLS.includes(unknown)) {
    return refuse("forbidden", `${unknown} acts on this machine: only the definition of an agent gives it.`, {
      hint: "A grant gives tools of the team. Add this one to the definition, where a person sees it before it works.",
    });
  }
  return refuse("not_found", `There is no tool of the team called "${unknown}".`, {
    hint: hintForUnknown(unknown, TEAM_TOOL_NAMES, "tools"),
    details: { kind: "tool", name: unknown },
  });
}

async function checkGiver(
  { caller }: Execute,
  held: readonly HeldGrant[],
  { agent, tools }: Grant,
): Promise<Result<undefined, Refusal>> {
  if (caller.kind !== "agent") return ok(undefined);
  if (agent === caller.name) {
    return refuse("forbidden", "An agent cannot grant itself anything.", { hint: "Ask a person in the channel." });
  }
  const mayHandOn = (tool: string): boolean =>
    held.some((each) => each.agent === caller.name && each.tool === tool && each.handOn);
  const missing = tools.filter((tool) => !mayHandOn(tool));
  if (missing.length === 0) return ok(undefined);
  return refuse("forbidden", `${caller.name} may not hand on ${missing.join(", ")}.`, {
    hint: `A person can allow it: agent-worker grant ${caller.name}${caller.space} ${missing.join(" ")} --hand-on`,
  });
}

/** A definition that cannot be read now denies nothing here: it is asked again when a run begins. */
async function checkDenied(
  ctx: Execute,
  { agent, space }: GrantReceiver,
  tools: readonly string[],
): Promise<Result<undefined, Refusal>> {
  const found = await findRunAgent(ctx.store, ctx.services.definitions, { agent, space });
  if (found.kind !== "found") return ok(undefined);
  const { definition } = found.agent;
  const single = tools.filter((tool) => !isPreset(tool));
  const denied = single.filter((tool) => decideTeamTool(choiceWithGrants(definition, [tool]), tool) === "deny");
  if (denied.length === 0) return ok(undefined);
  return refuse(
    "forbidden",
    `The definition of ${agent} denies ${denied.join(", ")}, and that wins over every grant.`,
    {
      hint: "Take it out of permissions.deny first.",
    },
  );
}

function isSame(before: readonly HeldGrant[], after: readonly HeldGrant[]): boolean {
  const keyOf = (held: readonly HeldGrant[]): string => JSON.stringify(held.map((each) => JSON.stringify(each)).sort());
  return keyOf(before) === keyOf(after);
}
