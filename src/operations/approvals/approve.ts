import * as contract from "../../contract/approvals.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { decideApproval } from "./decide-approval.ts";

export const approve = proposal(contract.approve, {
  access: persons,
  execute: (data, ctx) => decideApproval(ctx, data, "approved"),
});
