import { z } from "zod";
import { projectAgentOf } from "../../domain/workspace/participant-identity.ts";
import { sharedSummary } from "../../guard/memory/shared-summary.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Read } from "../core/define.ts";
import { findAgent } from "../agents/find-agent.ts";
import { personalOwner } from "../core/personal-owner.ts";

/**
 * Asks what another agent shares, without waking it. The answer is made of what that agent, or a person for it, marked
 * as shareable or public; the question is kept with who asked it, so that people see what agents want to know of each
 * other. It changes no memory, and still is a proposal: nobody is answered before the question is on disk.
 */
export const askAgent = proposal({
  name: "ask-agent",
  summary: "Ask what another agent shares about something. The question is kept where people can see it.",
  input: z.object({
    agent: z.string().min(1).describe("Whom to ask about, by name."),
    query: z
      .string()
      .max(1000)
      .refine((text) => text.trim() !== "", "the question is empty")
      .describe("What you want to know, in plain language."),
  }),
  output: z.object({
    agent: z.string(),
    /** Extracts of what it shares, the best first; empty when it shares nothing about it. */
    shared: z.array(z.string()),
    question: z.string(),
  }),
  access: everyone,

  async prepare({ agent: named, query }, ctx) {
    const asked = await agentAsked(ctx, named);
    if (!asked.ok) return asked;
    const context = ctx.services.personal(asked.value);
    if (!context.ok) return context;
    const { entries } = await context.value.memory.list();
    return ok({ agent: asked.value, asker: await askerName(ctx), shared: [...sharedSummary(entries, query)] });
  },

  async execute({ query }, ctx, { agent, asker, shared }) {
    const { caller } = ctx;
    const id = ctx.newId("ask");
    const [space, run] = caller.kind === "agent" ? [caller.space, caller.run] : ["", null];
    const kept = { id, agent, asker, space, run, query: ctx.services.redact(query) };
    await ctx.store.memories.addQuestion({ ...kept, shared: shared.length, at: ctx.now });
    await ctx.emit({ type: "memory.asked", agent, by: asker, question: id });
    return ok({ agent, shared, question: id });
  },
});

/** By the name it takes part under where the caller is, or else by its own. */
async function agentAsked(ctx: Read, named: string): Promise<Result<string, Refusal>> {
  const { caller } = ctx;
  if (caller.kind === "agent") {
    const participant = await ctx.read((store) => store.workspaces.participant(caller.space, named));
    const owner = participant === undefined ? named : projectAgentOf(participant);
    const self = await askerName(ctx);
    if (owner === self) return refuse("invalid", "That is you.", { hint: "Use memory_recall for your own memory." });
    if (owner === null) {
      return refuse("not_found", `${named} exists only in ${caller.space}: it remembers nothing.`, {
        hint: "Ask it in the channel.",
      });
    }
    if (participant !== undefined) return ok(owner);
  }
  const agent = await findAgent(ctx.services.definitions, named);
  return agent.ok ? ok(named) : agent;
}

/** Under its own name, whatever it is called where it works. */
async function askerName(ctx: Read): Promise<string> {
  const name = callerName(ctx.caller);
  if (ctx.caller.kind !== "agent") return name;
  const owner = await personalOwner(ctx, undefined);
  return owner.ok ? owner.value.agent : name;
}
