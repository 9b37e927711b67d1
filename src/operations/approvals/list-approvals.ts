import { z } from "zod";
import { approvalView } from "../../contract/approval.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { toApprovalView } from "./view.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";

export const listApprovals = query({
  name: "list-approvals",
  summary: "List the tool calls that wait for a person's approval, newest first; on request also those decided.",
  input: z.object({
    target: z.string().optional().describe("@review, or an agent for its direct messages; absent: everywhere."),
    state: z.enum(["pending", "approved", "denied", "all"]).default("pending"),
    limit: z.int().min(1).max(500).default(50),
  }),
  output: z.object({ approvals: z.array(approvalView) }),
  access: persons,

  async answer({ target, state, limit }, ctx) {
    const space = target === undefined ? undefined : callerSpace(target, ctx.caller);
    if (space?.ok === false) return space;
    const wanted = {
      ...(space === undefined ? {} : { space: formatSpace(space.value) }),
      ...(state === "all" ? {} : { state }),
      limit,
    };
    const approvals = await ctx.read((store) => store.approvals.list(wanted));
    return ok({ approvals: approvals.map(toApprovalView) });
  },
});
