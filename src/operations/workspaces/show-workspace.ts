import * as contract from "../../contract/workspaces.ts";
import type { SubSpaceView } from "../../contract/spaces/sub-spaces.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { subSpaceView } from "../spaces/view.ts";
import { findWorkspace } from "./find-workspace.ts";
import { toEarlierView, toWorkspaceView } from "./view.ts";
import { workspaceMembers } from "./workspace-members.ts";

export const showWorkspace = query(contract.showWorkspace, {
  access: participants,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    if (ctx.caller.kind === "person") await ctx.services.definitions.refresh();
    return ctx.read(async (store) => {
      const workspace = await findWorkspace(store, space.value);
      if (!workspace.ok) return workspace;
      const members = await workspaceMembers(ctx.services, store, workspace.value.key);
      const view = toWorkspaceView(
        workspace.value,
        members.map(({ agent }) => agent),
      );
      const earlier = (await store.workspaces.earlier(workspace.value)).map(toEarlierView);
      const spaces: SubSpaceView[] = [];
      for (const each of await store.workspaces.within(workspace.value)) spaces.push(await subSpaceView(store, each));
      return ok({ ...view, members, openBallots: await store.ballots.countOpen(view.space), spaces, earlier });
    });
  },
});
