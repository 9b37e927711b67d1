import { z } from "zod";
import { memberView } from "../../contract/workspace.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { findWorkspace } from "./find-workspace.ts";
import { workspaceMembers } from "./workspace-members.ts";

export const listMembers = query({
  name: "list-members",
  summary: "List who takes part in a workspace: role, current task, state, and how many messages wait for each.",
  input: z.object({ target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out.") }),
  output: z.object({ space: z.string(), members: z.array(memberView) }),
  access: participants,

  async answer(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    return ctx.read(async (store) => {
      const workspace = await findWorkspace(store, space.value);
      if (!workspace.ok) return workspace;
      const { key } = workspace.value;
      return ok({ space: key, members: await workspaceMembers(ctx.services, store, key) });
    });
  },
});
