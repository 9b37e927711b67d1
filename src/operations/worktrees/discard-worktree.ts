import * as contract from "../../contract/git/worktrees.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { findWorktree } from "./find-worktree.ts";
import { toWorktreeView } from "./view.ts";

export const discardWorktree = proposal(contract.discardWorktree, {
  access: persons,

  async prepare({ target }, { services }) {
    const found = await findWorktree(services.worktrees, target);
    if (!found.ok) return found;
    const discarded = await services.worktrees.discard(found.value.place);
    if (!discarded.ok) return discarded;
    const { commit, unkept } = discarded.value;
    return ok({ ...toWorktreeView(found.value), commit, unkept: [...unkept] });
  },
  execute: async (_, __, discarded) => ok(discarded),
});
