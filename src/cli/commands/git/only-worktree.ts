import type { Invocation } from "../../invocation.ts";
import { Refused } from "../../refused.ts";

/** Returns the target that was typed; without one, the only worktree there is. */
export async function onlyWorktree({ words, call }: Pick<Invocation, "words" | "call">): Promise<string> {
  const [typed] = words;
  if (typed !== undefined) return typed;
  const { worktrees } = await call("list-worktrees", {});
  const [only] = worktrees;
  if (only !== undefined && worktrees.length === 1) return only.target;
  throw new Refused({
    code: only === undefined ? "not_found" : "invalid",
    message: only === undefined ? "No agent has a worktree here." : "There are several worktrees: say which one.",
    hint:
      only === undefined
        ? 'An agent gets one with "worktree: true" in its file, when it begins to work.'
        : `Name one of ${worktrees.map(({ target }) => target).join(", ")}.`,
  });
}
