import { z } from "zod";
import { workspaceView } from "../../contract/workspace.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { toWorkspaceView } from "./view.ts";

export const listWorkspaces = query({
  name: "list-workspaces",
  summary: "List the workspaces of the project, open and closed.",
  input: z.object({ state: z.enum(["open", "closed"]).optional() }),
  output: z.object({ workspaces: z.array(workspaceView) }),
  access: persons,

  async answer(data, ctx) {
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
