import * as contract from "../../contract/approvals.ts";
import { persons } from "../core/access.ts";
import { spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { decideApproval } from "./decide-approval.ts";

export const deny = proposal(contract.deny, {
  access: persons,
  space: (data, caller) => spaceKey(data.target, caller),
  execute: (data, ctx) => decideApproval(ctx, data, "denied"),
});
