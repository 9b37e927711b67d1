import * as contract from "../../contract/spaces/grants.ts";
import { TEAM_TOOL_NAMES } from "../../domain/agent/team-tool-names.ts";
import { deniesTool } from "../../domain/agent/permission.ts";
import { choiceWithGrants, decideTeamTool, isPreset, MACHINE_TOOLS } from "../../domain/agent/tool-choice.ts";
import { uselessBecause } from "../../domain/grant/tool-needs.ts";
import { formatGrant, type Grant, type HeldGrant } from "../../domain/grant/grant.ts";
import { afterGrant } from "../../domain/grant/held-grants.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Execute, type OwnProposals } from "../core/define.ts";
import { refreshOwnProposals } from "../own-proposals/refresh-own-proposals.ts";
import { findRunAgent } from "../runs/run-agent.ts";
import { availabilityOf } from "../tools/tool-availability.ts";
import { changeGrants } from "./change-grants.ts";
import { findGrantReceiver, type GrantReceiver } from "./grant-receiver.ts";

/**
 * Gives an agent tools of the team, or own proposals of the project. A person gives any of them; an agent gives what it
 * holds with the right to hand it on. What the definition of the receiver denies cannot be given, nor what it could do
 * nothing with there, and powers on this machine are in its definition only.
 */
export const grantTools = proposal(contract.grantTools, {
  access: everyone,
  prepare: refreshOwnProposals,

  async execute({ agent: written, tools: named, reason, handOn }, ctx) {
    const receiver = await findGrantReceiver(ctx, written);
    if (!receiver.ok) return receiver;
    const grant: Grant = { agent: receiver.value.agent, tools: [...new Set(named)], handOn };
    const known = checkTools(grant.tools, ctx.services.ownProposals);
    if (!known.ok) return known;
    const before = await ctx.store.grants.inSpace(receiver.value.space);
    const allowed = await checkGiver(ctx, before, grant);
    if (!allowed.ok) return allowed;
    const useful = await checkReceiver(ctx, receiver.value, grant);
    if (!useful.ok) return useful;
    const after = afterGrant(before, callerName(ctx.caller), grant);
    if (isSame(before, after)) {
      return refuse("conflict", `${grant.agent} holds this by a grant already: ${grant.tools.join(", ")}.`);
    }
    return changeGrants(ctx, receiver.value, { kind: "grant", text: formatGrant(grant), reason, before, after });
  },
});

function checkTools(tools: readonly string[], own: OwnProposals): Result<undefined, Refusal> {
  for (const tool of tools) {
    if (TEAM_TOOL_NAMES.includes(tool) || isPreset(tool)) continue;
    if (MACHINE_TOOLS.includes(tool)) {
      return refuse("forbidden", `${tool} acts on this machine: only the definition of an agent gives it.`, {
        hint: "A grant gives tools of the team. Add this one to the definition, where a person sees it before it works.",
      });
    }
    const found = own.find(tool);
    if (found?.ok === true) continue;
    if (found !== undefined) return found;
    const names = [...TEAM_TOOL_NAMES, ...own.all().map(({ name }) => name)];
    return refuse("not_found", `There is no tool of the team and no own proposal called "${tool}".`, {
      hint: hintForUnknown(tool, names, "tools"),
      details: { kind: "tool", name: tool },
    });
  }
  return ok(undefined);
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
async function checkReceiver(
  ctx: Execute,
  { agent, space }: GrantReceiver,
  { tools, handOn }: Grant,
): Promise<Result<undefined, Refusal>> {
  const { definitions, ownProposals } = ctx.services;
  const found = await findRunAgent(ctx.store, definitions, { agent, space });
  if (found.kind !== "found") return ok(undefined);
  const { definition, owner } = found.agent;
  const single = tools.filter((tool) => !isPreset(tool));
  const isDenied = (tool: string): boolean =>
    TEAM_TOOL_NAMES.includes(tool)
      ? decideTeamTool(choiceWithGrants(definition, [tool]), tool) === "deny"
      : deniesTool(definition.permissions, tool);
  const denied = single.filter(isDenied);
  if (denied.length > 0) {
    return refuse(
      "forbidden",
      `The definition of ${agent} denies ${denied.join(", ")}, and that wins over every grant.`,
      { hint: "Take it out of permissions.deny first." },
    );
  }
  const caller = { kind: "agent", name: agent, space, run: null, cause: null } as const;
  const here = space.startsWith("@") ? "" : ` In a workspace it works: agent-worker grant ${agent}@WORKFLOW`;
  const available = await availabilityOf(ctx.store, definitions, { name: agent, space, owner });
  for (const tool of single) {
    const own = ownProposals.find(tool);
    const access = own?.ok === true ? own.value.operation.access(caller) : undefined;
    if (access !== undefined) {
      return refuse("forbidden", `${agent} could not use ${tool}. ${access.message}`, {
        hint: "Who may call an own proposal is in its code: see access.",
      });
    }
    const useless = uselessBecause(tool, space, available);
    if (useless !== undefined) {
      return refuse("forbidden", `${agent} could do nothing with ${tool} here: ${useless}.`, {
        hint: here === "" ? "Nothing was granted." : `Nothing was granted.${here} ${tool}`,
      });
    }
  }
  if (!handOn || here === "") return ok(undefined);
  return refuse("forbidden", `${agent} has nobody in its direct messages to whom it could hand something on.`, {
    hint: `Nothing was granted.${here} ${tools.join(" ")} --hand-on`,
  });
}

function isSame(before: readonly HeldGrant[], after: readonly HeldGrant[]): boolean {
  const keyOf = (held: readonly HeldGrant[]): string => JSON.stringify(held.map((each) => JSON.stringify(each)).sort());
  return keyOf(before) === keyOf(after);
}
