import * as contract from "../../contract/personal/memory-changes.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Memory } from "../../ports/personal-context.ts";
import type { MemoryChange } from "../../ports/store/memory.ts";
import { persons } from "../core/access.ts";
import { proposal, type Read } from "../core/define.ts";
import { findMemoryChange } from "./find-memory-change.ts";
import { toMemoryChangeView } from "./view.ts";

/** Takes back a change of the guard, or the answer of a person. It is not made again: what was undone stays listed. */
export const undoMemoryChange = proposal(contract.undoMemoryChange, {
  access: persons,

  async prepare({ id }, ctx) {
    const found = await findMemoryChange(ctx, id, "done", "answered");
    if (!found.ok) return found;
    const undone = await undo(ctx, found.value);
    return undone.ok ? found : undone;
  },

  async execute(_data, ctx, change) {
    const decision = { state: "undone", details: change.details, decidedAt: ctx.now } as const;
    await ctx.store.memories.decideChange(change.id, change.state, decision);
    await ctx.emit({ type: "tidying.decided", agent: change.agent, change: change.id });
    return ok(toMemoryChangeView({ ...change, ...decision }));
  },
});

/** What is gone already, because somebody deleted it, needs no undoing. */
async function undo({ services }: Read, { agent, details, state }: MemoryChange): Promise<Result<unknown, Refusal>> {
  const context = services.personal(agent);
  if (!context.ok) return context;
  const { memory, notes } = context.value;
  const { note, entry } = details;
  if (state === "answered") return takeBackAnswer(memory, details);
  const undone =
    note === undefined
      ? await memory.adjust(entry?.ref ?? "", { tier: entry?.tier ?? "working" })
      : await notes.remove(note.name, note.text);
  return !undone.ok && undone.error.code === "not_found" ? ok(undefined) : undone;
}

/** The memory that was not true is again as it was. */
async function takeBackAnswer(
  memory: Memory,
  { entries = [], kept = null }: MemoryChange["details"],
): Promise<Result<unknown, Refusal>> {
  for (const { key, ref } of entries) {
    if (kept === null || key === kept) continue;
    const restored = await memory.adjust(ref, { validUntil: undefined, replacedBy: undefined });
    if (!restored.ok && restored.error.code !== "not_found") return restored;
  }
  return ok(undefined);
}
