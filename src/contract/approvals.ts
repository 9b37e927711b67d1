import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";

/** A tool call that needs a decision of a person. */
export const approvalView = z.object({
  id: z.string(),
  space: z.string(),
  agent: z.string(),
  run: z.string(),
  tool: z.string(),
  /** The arguments as redacted JSON. The middle of a long text is left out and marked. */
  args: z.string(),
  state: z.enum(["pending", "approved", "denied"]),
  reason: z.string().nullable(),
  decidedBy: z.string().nullable(),
  requestedAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
});
export type ApprovalView = z.output<typeof approvalView>;

/** The input of `approve` and `deny`. */
export const decisionInput = z.object({
  id: z.string().describe("Id of the approval, from the list of approvals."),
  reason: z.string().max(2000).optional().describe("Told to the agent when the call is refused."),
  target: z.string().optional().describe("Refused unless it is there: @review"),
});

export const listApprovals = declareQuery({
  name: "list-approvals",
  summary: "List the tool calls that wait for a person's approval, newest first; on request also those decided.",
  method: "GET",
  path: "/approvals",
  personTool: "approval_list",
  input: z.object({
    target: z.string().optional().describe("@review, or an agent for its direct messages; absent: everywhere."),
    state: z.enum(["pending", "approved", "denied", "all"]).default("pending"),
    limit: z.int().min(1).max(500).default(50),
  }),
  output: z.object({ approvals: z.array(approvalView) }),
});

/** How far a yes reaches: this call, the same call or file until the run ends, or a rule in the file of the agent. */
const APPROVAL_SCOPES = ["once", "run", "always"] as const;

export const approve = declareProposal({
  name: "approve",
  summary: "Allow a tool call that waits for approval; its run goes on and makes it.",
  method: "POST",
  path: "/approvals/:id/approve",
  input: decisionInput.extend({
    scope: z
      .enum(APPROVAL_SCOPES)
      .default("once")
      .describe("run: also the same command or file again, until the run ends. always: by a rule in the agent's file."),
  }),
  output: approvalView,
});

/** The file of an agent before and after a rule is added that allows a call. */
export const allowRuleView = z.object({
  agent: z.string(),
  /** Relative to the project. */
  file: z.string(),
  /** What is added to `permissions.allow`. */
  patterns: z.array(z.string()),
  before: z.string(),
  after: z.string(),
});
export type AllowRuleView = z.output<typeof allowRuleView>;

export const previewAllowRule = declareQuery({
  name: "preview-allow-rule",
  summary: "Show what `approve` with scope `always` would change in the file of the agent. Nothing is changed.",
  method: "GET",
  path: "/approvals/:id/rule",
  input: z.object({ id: z.string().describe("Id of the approval, from the list of approvals.") }),
  output: allowRuleView,
});

export const deny = declareProposal({
  name: "deny",
  summary: "Refuse a tool call that waits for approval; the agent is told the reason and goes on without it.",
  method: "POST",
  path: "/approvals/:id/deny",
  input: decisionInput,
  output: approvalView,
});
