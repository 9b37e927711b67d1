import * as contract from "../../contract/memory.ts";
import { sharedSummary } from "../../guard/memory/shared-summary.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { findAgent } from "../agents/find-agent.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Read } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

/**
 * Returns what another agent shares about something, without waking it: memories that the agent or a person marked as
 * shareable or public. The question is stored with its asker, so that people see what agents ask about each other. It
 * changes no memory, but is a proposal, because the question must be on disk before the answer is sent.
 */
export const askAgent = proposal(contract.askAgent, {
  access: everyone,

  async prepare({ agent: named, query }, ctx) {
    const subject = await findSubject(ctx, named);
    if (!subject.ok) return subject;
    const context = ctx.services.personal(subject.value);
    if (!context.ok) return context;
    const { entries } = await context.value.memory.list();
    return ok({ agent: subject.value, asker: await askerName(ctx), shared: [...sharedSummary(entries, query)] });
  },

  async execute({ query }, ctx, { agent, asker, shared }) {
    const { caller } = ctx;
    const id = ctx.newId("ask");
    const [space, run] = caller.kind === "agent" ? [caller.space, caller.run] : ["", null];
    const question = { id, agent, asker, space, run, query: ctx.services.redact(query) };
    await ctx.store.memories.addQuestion({ ...question, shared: shared.length, at: ctx.now });
    await ctx.emit({ type: "memory.asked", agent, by: asker, question: id });
    return ok({ agent, shared, question: id });
  },
});

/** Looks for the name among the participants of the caller's space, then among the agents of the project. */
async function findSubject(ctx: Read, named: string): Promise<Result<string, Refusal>> {
  const { caller } = ctx;
  if (caller.kind === "agent") {
    const member = await ctx.read((store) => store.workspaces.member(caller.space, named));
    const owner = member === undefined ? named : member.ref;
    const self = await askerName(ctx);
    if (owner === self) return refuse("invalid", "That is you.", { hint: "Use memory_recall for your own memory." });
    if (owner === null) {
      return refuse("not_found", `${named} exists only in ${caller.space}: it remembers nothing.`, {
        hint: "Ask it in the channel.",
      });
    }
    if (member !== undefined) return ok(owner);
  }
  const agent = await findAgent(ctx.services.definitions, named);
  return agent.ok ? ok(named) : agent;
}

/** Returns the name of the agent in the project, not in the workspace. */
async function askerName(ctx: Read): Promise<string> {
  const name = callerName(ctx.caller);
  if (ctx.caller.kind !== "agent") return name;
  const owner = await personalOwner(ctx, undefined);
  return owner.ok ? owner.value.agent : name;
}
