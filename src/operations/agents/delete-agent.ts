import * as contract from "../../contract/agents.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, persons } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { withdrawApprovals } from "../approvals/withdraw-approvals.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";
import { endRun } from "../runs/end-run.ts";
import { checkIdle } from "./check-idle.ts";

/**
 * What the agent is working on ends, and what waits for it becomes dead letters, which people see. Its schedules are
 * cleared, because they have no agent to wake; its grants end. Its messages stay in the store, and are seen no more: a later agent of the
 * same name begins empty. Kept context includes the conversation.
 */
export const deleteAgent = proposal(contract.deleteAgent, {
  access: persons,

  async prepare({ name, keepContext }, ctx) {
    const idle = await checkIdle(ctx, name);
    if (!idle.ok) return idle;
    const ephemeral = ctx.services.definitions.isEphemeral(name);
    const deleted = await ctx.services.definitions.deleteAgent(name, { context: !keepContext });
    return deleted.ok ? ok({ ephemeral }) : deleted;
  },

  async execute({ name, keepContext }, ctx, { ephemeral }) {
    const { conversations } = ctx.store;
    await endWork(ctx, name);
    await clearSchedules(ctx, name);
    await ctx.store.grants.replace(name, []);
    if (!keepContext || ephemeral) await conversations.begin(name);
    if (ephemeral) await conversations.place(name, "disk");
    if (!keepContext) {
      await dropSoulProposals(ctx, name);
      if (!ephemeral) await ctx.store.personalFiles.removeAll(name);
    }
    await ctx.emit({ type: "agent.deleted", agent: name });
    return ok({ name, contextKept: keepContext });
  },
});

const REASON = "The agent was deleted.";
const BATCH = 200;

/** In its direct messages. It takes part in no open workspace, and what it left in a closed one stays there. */
async function endWork(ctx: Execute, agent: string): Promise<void> {
  for (;;) {
    const open = await ctx.store.deliveries.open({ space: agent, limit: BATCH });
    await makeDeadLetters(
      ctx,
      open.map(({ delivery }) => delivery),
      REASON,
      "failed",
    );
    if (open.length < BATCH) break;
  }
  for (const run of await ctx.store.runs.unfinished()) {
    if (run.mailbox !== agent || run.space !== agent) continue;
    await withdrawApprovals(ctx, run.id, REASON);
    await endRun(ctx, run, "stopped", REASON);
  }
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
