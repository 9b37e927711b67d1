import { refuse, type Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { ok } from "../../kernel/result.ts";
import type { MemoryChange } from "../../ports/store/memory.ts";
import type { Read } from "../core/define.ts";

/** Returns a change that is in one of these states. */
export async function findMemoryChange(
  ctx: Read,
  id: string,
  ...states: readonly MemoryChange["state"][]
): Promise<Result<MemoryChange, Refusal>> {
  const change = await ctx.read((store) => store.memories.change(id));
  if (change === undefined) {
    return refuse("not_found", `There is no change ${id} of a memory.`, {
      hint: "List them: agent-worker agent memory NAME changes",
    });
  }
  if (states.includes(change.state)) return ok(change);
  return refuse("conflict", `${id} is ${change.state === "done" ? "no question" : change.state} already.`, {
    hint: `Look at it: agent-worker agent memory ${change.agent} changes`,
  });
}
