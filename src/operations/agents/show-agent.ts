import * as contract from "../../contract/agents.ts";
import { effectiveSoul } from "../../domain/soul/learned-soul.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { grantsOfAgent } from "../grants/grants-of-agent.ts";
import { readTeamActivity } from "./agent-activity.ts";
import { findAgent } from "./find-agent.ts";
import { toAgentDetailView, toAgentView } from "./view.ts";

export const showAgent = query(contract.showAgent, {
  access: persons,

  async execute({ name }, ctx) {
    const { definitions, personal } = ctx.services;
    const definition = await findAgent(definitions, name);
    if (!definition.ok) return definition;
    const ephemeral = definitions.isEphemeral(name);
    const activity = await ctx.read(readTeamActivity);
    const grants = await ctx.read((store) => grantsOfAgent(store, name));
    const agent = toAgentView(ctx.services, definition.value, activity.of(name));
    if (ephemeral) return ok(toAgentDetailView(definition.value, agent, null, grants));
    const context = personal(name);
    if (!context.ok) return context;
    const summary = await summarise(context.value);
    if (!summary.ok) return summary;
    await context.value.soul.refresh();
    const soul = effectiveSoul(definition.value.soul, context.value.soul.read().state.learned);
    const detail = soul === undefined ? definition.value : { ...definition.value, soul };
    return ok(toAgentDetailView(detail, agent, summary.value, grants));
  },
});

async function summarise(context: PersonalContext): Promise<Result<contract.ContextSummaryView, Refusal>> {
  const { entries } = await context.memory.list();
  const notes = await context.notes.list(Infinity);
  if (!notes.ok) return notes;
  const todos = await context.todo.list();
  if (!todos.ok) return todos;
  const conversation = await context.conversations.recent(1);
  if (!conversation.ok) return conversation;
  return ok({
    memory: entries.length,
    notes: notes.value.length,
    openTodos: todos.value.filter(({ done }) => !done).length,
    lastConversation: conversation.value[0]?.day ?? null,
  });
}
