import { z } from "zod";
import { workspaceDetailView } from "../../contract/workspace.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { findWorkspace } from "./find-workspace.ts";
import { workspaceMembers } from "./workspace-members.ts";
import { toWorkspaceView } from "./view.ts";

export const showWorkspace = query({
  name: "show-workspace",
  summary: "Show one workspace: its state, its members, and what waits in it.",
  input: z.object({ target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out.") }),
  output: workspaceDetailView,
  access: participants,

  async answer(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    return ctx.read(async (store) => {
      const workspace = await findWorkspace(store, space.value);
      if (!workspace.ok) return workspace;
      const members = await workspaceMembers(ctx.services, store, workspace.value.key);
      const view = toWorkspaceView(
        workspace.value,
        members.map(({ agent }) => agent),
      );
      return ok({ ...view, members, openBallots: await store.ballots.countOpen(view.space) });
    });
  },
});
