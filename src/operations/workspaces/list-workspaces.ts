import * as contract from "../../contract/workspaces.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { toWorkspaceView } from "./view.ts";

export const listWorkspaces = query(contract.listWorkspaces, {
  access: persons,

  async execute(data, ctx) {
    const views = await ctx.read(async (store) => {
      const workspaces = await store.workspaces.list(data.state === undefined ? {} : { state: data.state });
      return Promise.all(
        workspaces.map(async (workspace) => {
          const roster = await store.workspaces.roster(workspace.key);
          return toWorkspaceView(
            workspace,
            roster.map(({ agent }) => agent),
          );
        }),
      );
    });
    return ok({ workspaces: views.toSorted((a, b) => (a.space < b.space ? -1 : 1)) });
  },
});
