import { refuse } from "../../kernel/refusal.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { Worktrees } from "../../ports/worktrees.ts";

const none = async () => refuse("unavailable", "There are no worktrees here.");

/** For a project that was opened without engines. */
export const NO_WORKTREES: Worktrees = {
  open: async () => {
    throw new EngineFailure("permanent", "There are no worktrees here.");
  },
  list: async () => [],
  diff: none,
  apply: none,
  handOver: none,
  discard: none,
  changes: none,
};
