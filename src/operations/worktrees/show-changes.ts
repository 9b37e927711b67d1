import * as contract from "../../contract/git/worktrees.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const showChanges = query(contract.showChanges, {
  access: persons,

  async execute(input, { services }) {
    const found = await services.worktrees.changes(input);
    if (!found.ok) return found;
    const { branch, base, changed, stat, diff, cut } = found.value;
    const { insertions, deletions } = stat;
    return ok({ branch, base, files: [...changed], insertions, deletions, diff, cut });
  },
});
