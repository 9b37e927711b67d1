import { z } from "zod";
import { declareProposal, declareQuery } from "../operation.ts";

/** A tool that an agent holds by a grant. */
export const grantView = z.object({
  /** The key of its space: `@review:main`; the name of the agent for direct messages. */
  space: z.string(),
  agent: z.string(),
  tool: z.string(),
  /** It may also give the tool to others. */
  handOn: z.boolean(),
  /** Who gave it: `user` is the person. */
  by: z.string(),
});
export type GrantView = z.output<typeof grantView>;

/** What a grant or a revocation led to. */
export const grantChangeView = z.object({
  space: z.string(),
  agent: z.string(),
  /** Sequence number of the message that says it. */
  seq: z.int(),
  /** All that the agent holds by grants now. */
  grants: z.array(grantView),
  /** Others that lost a tool too, because they had it from the agent. */
  also: z.array(z.string()),
});

const MAX_TOOLS = 50;
const MAX_REASON = 1000;

const agent = z
  .string()
  .describe("alice@review in a workspace, alice in its direct messages. Agents: a colleague here.");
const tools = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(MAX_TOOLS)
  .describe("Names of tools of the team or of own proposals of the project, or a preset of tools.");
const reason = z.string().max(MAX_REASON).optional().describe("Said in the channel. @name in it wakes that agent.");

export const grantTools = declareProposal({
  name: "grant-tools",
  summary:
    "Give an agent tools of the team, or own proposals, by a message in its channel. It has them in its next step.",
  method: "POST",
  path: "/grants",
  input: z.object({
    agent,
    tools,
    reason,
    handOn: z.boolean().default(false).describe("It may give them to others, too."),
  }),
  output: grantChangeView,
});

export const revokeTools = declareProposal({
  name: "revoke-tools",
  summary:
    "Take back tools that were granted, by a message in the channel; whoever got them from the agent loses them.",
  method: "POST",
  path: "/grants/revoke",
  input: z.object({ agent, tools, reason }),
  output: grantChangeView,
});

export const listGrants = declareQuery({
  name: "list-grants",
  summary: "List what agents hold by grants in a workspace, or one agent in its direct messages.",
  personTool: "grant_list",
  method: "GET",
  path: "/grants",
  input: z.object({
    target: z.string().optional().describe("@review, alice@review or alice. Agents: leave it out."),
    at: z.int().positive().optional().describe("What was held after the message with this sequence number."),
  }),
  output: z.object({ grants: z.array(grantView) }),
});
