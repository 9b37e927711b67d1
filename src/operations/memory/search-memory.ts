import { z } from "zod";
import { tierView } from "../../contract/memory.ts";
import { recalledView, type RecalledView } from "../../contract/recall.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { FoundText } from "../../ports/memory-index.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalAgent } from "../core/personal-input.ts";
import { personalOwner } from "../core/personal-owner.ts";

/** Recall by a question in plain language, over memory, notes and conversations alike: see `guard/memory/recall.ts`. */
export const searchMemory = query({
  name: "search-memory",
  summary: "Find what an agent knows about something: in its memory, its notes and its conversations, the best first.",
  input: z.object({
    agent: personalAgent,
    query: z
      .string()
      .max(1000)
      .refine((text) => text.trim() !== "", "the query is empty"),
    tier: tierView.optional(),
    limit: z.int().min(1).max(500).default(20),
  }),
  output: z.object({ agent: z.string(), entries: z.array(recalledView) }),
  access: everyone,

  async answer({ agent: named, query: question, tier, limit }, ctx) {
    const owner = await personalOwner(ctx, named);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    if (ctx.caller.kind === "agent" && ctx.services.definitions.agent(agent)?.memory?.search === false) {
      return refuse("forbidden", `${agent} may not search its memory.`, { hint: "What matters is in its prompt." });
    }
    const wanted = { question, limit, now: ctx.now, ...(tier === undefined ? {} : { tier }) };
    const found = await ctx.services.recall.search(agent, context, wanted);
    // What an agent recalls is in use; a person who looks around changes nothing.
    if (ctx.caller.kind === "agent") ctx.services.recalled(agent, found.flatMap(entryName));
    return ok({ agent, entries: found.map(toRecalledView) });
  },
});

function entryName({ kind, id, key }: FoundText): string[] {
  return kind === "memory" ? [id ?? key] : [];
}

function toRecalledView(found: FoundText): RecalledView {
  const { kind, key, text, tier, visibility, source, outside, origin, id, at, file, score } = found;
  const time = at === null ? null : new Date(at).toISOString();
  return {
    kind,
    key,
    value: text,
    tier,
    visibility,
    source,
    outside,
    origin: null,
    from: origin,
    created: time,
    updated: time,
    id,
    file: kind === "memory" ? file.slice(file.indexOf("/") + 1) : file,
    score: Math.round(score * 1000) / 1000,
  };
}
