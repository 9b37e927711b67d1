import * as contract from "../../contract/approvals.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { addAllowRule } from "./allow-rule.ts";
import { allowForRun } from "./allow-for-run.ts";
import { decideApproval } from "./decide-approval.ts";

/** The rule is in the file before the run goes on: a crash between the two leaves the call to be approved again. */
export const approve = proposal(contract.approve, {
  access: persons,

  async prepare({ id, scope }, ctx) {
    if (scope !== "always") return ok(null);
    const added = await addAllowRule(ctx, id, { write: true });
    return added.ok ? ok(null) : added;
  },

  async execute({ scope, ...data }, ctx) {
    const decided = await decideApproval(ctx, data, "approved");
    if (!decided.ok || scope === "once") return decided;
    const approval = await ctx.store.approvals.byId(data.id);
    if (approval !== undefined) await allowForRun(ctx, approval, scope);
    return decided;
  },
});
