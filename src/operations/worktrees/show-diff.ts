import * as contract from "../../contract/git/worktrees.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { findWorktree } from "./find-worktree.ts";
import { toWorktreeView } from "./view.ts";

export const showDiff = query(contract.showDiff, {
  access: persons,

  async execute({ target }, { services }) {
    const found = await findWorktree(services.worktrees, target);
    if (!found.ok) return found;
    const shown = await services.worktrees.diff(found.value.place);
    if (!shown.ok) return shown;
    const { changed, diff, cut, unkept } = shown.value;
    return ok({ ...toWorktreeView(shown.value), files: [...changed], diff, cut, unkept: [...unkept] });
  },
});
