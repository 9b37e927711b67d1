import * as contract from "../../contract/git/worktrees.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { toWorktreeView } from "./view.ts";

export const listWorktrees = query(contract.listWorktrees, {
  access: persons,

  async execute(_, { services }) {
    return ok({ worktrees: (await services.worktrees.list()).map(toWorktreeView) });
  },
});
