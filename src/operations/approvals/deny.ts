import { persons } from "../core/access.ts";
import { decideApproval, decisionInput, decisionOutput } from "./decide-approval.ts";
import { proposal } from "../core/define.ts";

export const deny = proposal({
  name: "deny",
  summary: "Refuse a tool call that waits for approval; the agent is told the reason and goes on without it.",
  input: decisionInput,
  output: decisionOutput,
  access: persons,
  execute: (data, ctx) => decideApproval(ctx, data, "denied"),
});
