import * as contract from "../../contract/agents.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, persons } from "../core/access.ts";
import { checkDetached } from "./check-detached.ts";
import { proposal, type Execute } from "../core/define.ts";

/**
 * Its messages stay: what was said was said. Its schedules go, for they would wake nobody for ever. An agent that is
 * made anew under its name does not remember what was said to it.
 */
export const deleteAgent = proposal(contract.deleteAgent, {
  access: persons,

  async prepare({ name, keepContext }, ctx) {
    const free = await checkDetached(ctx, name);
    if (!free.ok) return free;
    const deleted = await ctx.services.definitions.deleteAgent(name, { context: !keepContext });
    return deleted.ok ? ok(undefined) : deleted;
  },

  async execute({ name, keepContext }, ctx) {
    await clearSchedules(ctx, name);
    if (!keepContext) await forgetConversation(ctx, name);
    if (!keepContext) await dropSoulProposals(ctx, name);
    await ctx.emit({ type: "agent.deleted", agent: name });
    return ok({ name, contextKept: keepContext });
  },
});

async function forgetConversation(ctx: Execute, agent: string): Promise<void> {
  const [last] = await ctx.store.messages.page({ space: agent, limit: 1 });
  if (last !== undefined) await ctx.store.conversations.setRecorded(agent, { seq: last.seq, mark: null });
}

/** Nobody is left whose soul they could change, and whoever comes to have the name has nothing to do with them. */
async function dropSoulProposals(ctx: Execute, agent: string): Promise<void> {
  const open = await ctx.store.soulProposals.list({ agent, state: "open", limit: 1000 });
  const decision = {
    state: "rejected",
    decidedBy: callerName(ctx.caller),
    reason: "The agent was deleted.",
    version: null,
    decidedAt: ctx.now,
  } as const;
  for (const { id } of open) await ctx.store.soulProposals.decide(id, decision);
}

async function clearSchedules(ctx: Execute, agent: string): Promise<void> {
  for (const { target } of await ctx.store.schedules.list()) {
    const parsed = parseTarget(target);
    if (!parsed.ok || parsed.value.kind === "channel" || parsed.value.agent !== agent) continue;
    await ctx.store.schedules.clear(target);
    await ctx.emit({ type: "schedule.cleared", target });
  }
}
