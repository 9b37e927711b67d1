import * as contract from "../../contract/approvals.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { addAllowRule } from "./allow-rule.ts";

export const previewAllowRule = query(contract.previewAllowRule, {
  access: persons,
  execute: ({ id }, ctx) => addAllowRule(ctx, id, { write: false }),
});
