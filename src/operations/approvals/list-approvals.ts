import * as contract from "../../contract/approvals.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { toApprovalView } from "./view.ts";

export const listApprovals = query(contract.listApprovals, {
  access: persons,

  async execute({ target, state, limit }, ctx) {
    const space = target === undefined ? undefined : callerSpace(target, ctx.caller);
    if (space?.ok === false) return space;
    const filter = {
      ...(space === undefined ? {} : { space: formatSpace(space.value) }),
      ...(state === "all" ? {} : { state }),
      limit,
    };
    const approvals = await ctx.read(async (store) => {
      const found = await store.approvals.list(filter);
      const closed = new Set<string>();
      for (const key of new Set(found.map((each) => each.space))) {
        if ((await store.workspaces.status(key))?.state === "closed") closed.add(key);
      }
      // Those of a workspace that is stopped can be decided when it goes on.
      return found.filter((each) => each.state !== "pending" || !closed.has(each.space));
    });
    return ok({ approvals: approvals.map(toApprovalView) });
  },
});
