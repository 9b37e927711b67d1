import { persons } from "../core/access.ts";
import { spaceKey } from "../core/caller-space.ts";
import { decideApproval, decisionInput, decisionOutput } from "./decide-approval.ts";
import { proposal } from "../core/define.ts";

export const deny = proposal({
  name: "deny",
  summary: "Refuse a tool call that waits for approval; the agent is told the reason and goes on without it.",
  input: decisionInput,
  output: decisionOutput,
  access: persons,
  space: (data, caller) => spaceKey(data.target, caller),
  execute: (data, ctx) => decideApproval(ctx, data, "denied"),
});
