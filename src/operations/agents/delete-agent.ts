import * as contract from "../../contract/agents.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, persons } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { checkIdle } from "./check-idle.ts";

/**
 * The messages of the agent stay; what waits for it becomes dead letters. Its schedules are cleared, because they have no agent to wake. A later agent of the
 * same name does not get its conversations.
 */
export const deleteAgent = proposal(contract.deleteAgent, {
  access: persons,

  async prepare({ name, keepContext }, ctx) {
    const idle = await checkIdle(ctx, name);
    if (!idle.ok) return idle;
    const deleted = await ctx.services.definitions.deleteAgent(name, { context: !keepContext });
    return deleted.ok ? ok(undefined) : deleted;
  },

  async execute({ name, keepContext }, ctx) {
    await clearSchedules(ctx, name);
    if (!keepContext) await forgetConversation(ctx, name);
    if (!keepContext) await dropSoulProposals(ctx, name);
    ctx.wake(name);
    await ctx.emit({ type: "agent.deleted", agent: name });
    return ok({ name, contextKept: keepContext });
  },
});

async function forgetConversation(ctx: Execute, agent: string): Promise<void> {
  const [last] = await ctx.store.messages.page({ space: agent, limit: 1 });
  if (last !== undefined) await ctx.store.conversations.setRecorded(agent, { seq: last.seq, mark: null });
}

/** A later agent of the same name must not inherit them. */
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
