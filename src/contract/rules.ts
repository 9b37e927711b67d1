import { z } from "zod";

/** Proposals written as data, as every face shows and takes them. */
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
  propose: z.string().describe("send-message or create-ballot; for persons also set-document-owner, close-workspace."),
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
  /** How often it may act before a person has to speak, and how often it did since one spoke. */
  most: z.int(),
  fired: z.int(),
  total: z.int(),
  /** It acted as often as it may and waits for a person. */
  resting: z.boolean(),
  lastFiredAt: z.iso.datetime().nullable(),
  lastRefusal: z.string().nullable(),
  at: z.iso.datetime(),
});
export type RuleView = z.output<typeof ruleView>;
