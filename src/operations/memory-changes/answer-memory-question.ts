import * as contract from "../../contract/personal/memory-changes.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { MemoryChange } from "../../ports/store/memory.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { findMemoryChange } from "./find-memory-change.ts";
import { toMemoryChangeView } from "./view.ts";

interface Answer {
  readonly change: MemoryChange;
  /** The key of the memory that is true; null when both are. */
  readonly kept: string | null;
}

/** The memory that is not true is marked as replaced by the other one. Recall finds both. */
export const answerMemoryQuestion = proposal(contract.answerMemoryQuestion, {
  access: persons,

  async prepare({ id, keep }, ctx) {
    const found = await findMemoryChange(ctx, id, "open");
    if (!found.ok) return found;
    const { agent, details } = found.value;
    const entries = details.entries ?? [];
    if (keep === undefined) return ok<Answer>({ change: found.value, kept: null });
    const kept = entries.find(({ key, ref }) => key === keep || ref === keep);
    if (kept === undefined) {
      return refuse("invalid", `${id} is not about "${keep}".`, {
        hint: `It is about ${entries.map(({ key }) => `"${key}"`).join(" and ")}.`,
      });
    }
    const context = ctx.services.personal(agent);
    if (!context.ok) return context;
    for (const { ref } of entries.filter((each) => each !== kept)) {
      const facts = { validUntil: new Date(ctx.now).toISOString(), replacedBy: kept.key };
      const marked = await context.value.memory.adjust(ref, facts);
      if (!marked.ok && marked.error.code !== "not_found") return marked;
    }
    return ok<Answer>({ change: found.value, kept: kept.key });
  },

  async execute(_data, ctx, { change, kept }) {
    const decision = { state: "answered", details: { ...change.details, kept }, decidedAt: ctx.now } as const;
    await ctx.store.memories.decideChange(change.id, "open", decision);
    await ctx.emit({ type: "tidying.decided", agent: change.agent, change: change.id });
    return ok(toMemoryChangeView({ ...change, ...decision }));
  },
});
