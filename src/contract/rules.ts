import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";

const name = z.string().min(1).max(64);

export const ruleCondition = z.discriminatedUnion("on", [
  z.strictObject({
    on: z.literal("message"),
    from: name.optional().describe("Who said it; user is the person."),
    contains: z.string().min(1).max(200).optional().describe("A text it holds, whatever the case."),
    mentions: name.optional().describe("Somebody it calls."),
  }),
  z.strictObject({
    on: z.literal("document"),
    from: name.optional().describe("Who wrote it."),
    file: z.string().min(1).max(200).optional().describe("Name of the document."),
  }),
  z.strictObject({
    on: z.literal("ballot"),
    state: z.enum(["resolved", "rejected", "expired", "cancelled"]).optional().describe("How it ended."),
    winner: z.string().min(1).max(200).optional().describe("Id of the option that won."),
  }),
]);

export const ruleConsequence = z.strictObject({
  propose: z
    .string()
    .describe(
      "send-message, create-ballot or a proposal of the project; for persons also set-document-owner, close-workspace.",
    ),
  data: z
    .record(z.string(), z.unknown())
    .describe("Its input. Texts may hold ${{ message.text }}, ${{ message.from }} and the like."),
});

export const ruleView = z.object({
  id: z.string(),
  space: z.string(),
  name: z.string(),
  author: z.string(),
  when: ruleCondition,
  then: ruleConsequence,
  /** `most`: how often it may act until a person writes. `fired`: how often it has acted since a person wrote. */
  most: z.int(),
  fired: z.int(),
  total: z.int(),
  /** True when it has acted `most` times: it waits until a person writes. */
  resting: z.boolean(),
  lastFiredAt: z.iso.datetime().nullable(),
  lastRefusal: z.string().nullable(),
  at: z.iso.datetime(),
});
export type RuleView = z.output<typeof ruleView>;

const DEFAULT_MOST = 20;

export const listRules = declareQuery({
  name: "list-rules",
  summary: "List the rules of a workspace, or of all: what they wait for, what they propose, how often they acted.",
  personTool: "rule_list",
  method: "GET",
  path: "/rules",
  input: z.object({ target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out.") }),
  output: z.object({ rules: z.array(ruleView) }),
});

export const addRule = declareProposal({
  name: "add-rule",
  summary: "Add a rule to a workspace: when something happens there, something is proposed.",
  personTool: "rule_add",
  method: "POST",
  path: "/rules",
  input: z.object({
    target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out."),
    name: z.string().regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, "a name is letters, digits, - and _"),
    when: ruleCondition,
    then: ruleConsequence,
    most: z
      .int()
      .min(1)
      .max(100)
      .default(DEFAULT_MOST)
      .describe("How often it may act before a person has to write in the workspace."),
  }),
  output: ruleView,
});

export const removeRule = declareProposal({
  name: "remove-rule",
  summary: "Remove a rule: it does nothing any more.",
  personTool: "rule_remove",
  method: "DELETE",
  path: "/rules/:id",
  input: z.object({
    id: z.string().describe("Id of the rule, such as rul_..."),
    target: z.string().optional().describe("Refused unless it is there: @review"),
  }),
  output: ruleView,
});
