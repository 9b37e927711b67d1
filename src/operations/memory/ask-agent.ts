import * as contract from "../../contract/memory.ts";
import { extractSummary, sharedEntries, type SharedSummary } from "../../guard/memory/shared-summary.ts";
import { summaryQuestion } from "../../guard/model/summarise-shared.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Read } from "../core/define.ts";
import { callingAgent, namedAgent } from "./named-agent.ts";

/**
 * Returns a summary of what another agent shares about something, and the entries it is made of, without waking it. Only
 * memories are read that the agent or a person shared with everyone or with the asker. The question is stored with its
 * asker, so that people and the agent see what was asked. It changes no memory, but is a proposal, because the question
 * must be on disk before the answer is sent.
 */
export const askAgent = proposal(contract.askAgent, {
  access: everyone,

  async prepare({ agent: named, query }, ctx) {
    const subject = await namedAgent(ctx, named);
    if (!subject.ok) return subject;
    const agent = subject.value;
    const asker = await callingAgent(ctx);
    if (agent === asker) return refuse("invalid", "That is you.", { hint: "Use memory_recall for your own memory." });
    const context = ctx.services.personal(agent);
    if (!context.ok) return context;
    const shared = sharedEntries((await context.value.memory.list()).entries, asker);
    const written = await summarise(ctx, agent, shared, query);
    const { lines, sources } = written ?? extractSummary(shared, query);
    const answer = {
      by: written === null ? ("rules" as const) : ("model" as const),
      summary: lines.join("\n"),
      shared: [...lines],
      sources: sources.map(({ key, updated }) => ({ key, day: dayOf(updated) })),
    };
    return ok({ agent, asker: asker ?? callerName(ctx.caller), answer });
  },

  async execute({ query }, ctx, { agent, asker, answer }) {
    const { caller } = ctx;
    const id = ctx.newId("ask");
    const [space, run] = caller.kind === "agent" ? [caller.space, caller.run] : ["", null];
    const question = { id, agent, asker, space, run, query: ctx.services.redact(query) };
    await ctx.store.memories.addQuestion({ ...question, shared: answer.sources.length, at: ctx.now });
    await ctx.emit({ type: "memory.asked", agent, by: asker, question: id });
    return ok({ agent, ...answer, question: id });
  },
});

/** Its memory is read, so its own settings say which model may be asked. */
async function summarise(
  { caller, services }: Read,
  agent: string,
  shared: readonly MemoryEntry[],
  query: string,
): Promise<SharedSummary | null> {
  const definition = services.definitions.agent(agent);
  if (definition === undefined || shared.length === 0) return null;
  const run = caller.kind === "agent" ? caller.run : null;
  const subject = { definition, mailbox: agent, space: agent, run };
  return services.askGuardModel(subject, "summarise", summaryQuestion(shared, query));
}

/** The day of a time that may have been written by hand. */
function dayOf(time: string | null): string | null {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
}
