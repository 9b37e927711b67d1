import * as contract from "../../contract/workspaces.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { findWorkspace } from "./find-workspace.ts";
import { workspaceMembers } from "./workspace-members.ts";

export const listMembers = query(contract.listMembers, {
  access: participants,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    if (ctx.caller.kind === "person") await ctx.services.definitions.refresh();
    return ctx.read(async (store) => {
      const workspace = await findWorkspace(store, space.value);
      if (!workspace.ok) return workspace;
      const { key } = workspace.value;
      return ok({ space: key, members: await workspaceMembers(ctx.services, store, key) });
    });
  },
});
