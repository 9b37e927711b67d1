import { persons } from "../core/access.ts";
import { decideApproval, decisionInput, decisionOutput } from "./decide-approval.ts";
import { proposal } from "../core/define.ts";

export const approve = proposal({
  name: "approve",
  summary: "Allow a tool call that waits for approval; its run goes on and makes it.",
  input: decisionInput,
  output: decisionOutput,
  access: persons,
  execute: (data, ctx) => decideApproval(ctx, data, "approved"),
});
