import * as contract from "../../contract/approvals.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { decideApproval } from "./decide-approval.ts";

export const deny = proposal(contract.deny, {
  access: persons,
  execute: (data, ctx) => decideApproval(ctx, data, "denied"),
});
