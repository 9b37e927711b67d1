import { z } from "zod";
import { durationText, providerSchema } from "./runtime-schema.ts";

const count = (description: string) => z.int().positive().describe(description).optional();
const choice = (description: string) => z.boolean().describe(description).optional();

/** The keys of `guard` that a project, a workflow and an agent share. `normalise-guard.ts` interprets them. */
export const guardFields = {
  model: z
    .string()
    .min(1)
    .describe("provider/model that the guard asks; a small one is enough. Absent: it decides by its rules.")
    .optional(),
  provider: providerSchema.optional(),
  validate: choice("Ask it whether a memory is worth storing and true to what was said. Default: true."),
  select: choice("Ask it which memories and documents matter for a prompt. Default: true."),
  summarise: choice(
    "Ask it for summaries: of long channels, and of what an agent knows when others ask. Default: true.",
  ),
  consolidate: choice("Tidy up memory when the agent is idle, with or without a model. Default: true."),
  rerank: choice("Ask it to order what a search in memory finds. Default: false."),
  budget: z
    .strictObject({
      prompt: count("Tokens of a whole prompt. Default: 32000."),
      answer: count("Tokens of one answer of the model. Default: 1000."),
      time: durationText("Longest time of one question to the model. Default: 20s.").optional(),
      per_day: count("Tokens the model may use on one day for one agent; then the rules decide. Default: 200000."),
    })
    .describe("Limits of the guard.")
    .optional(),
};

const fieldsSchema = z.strictObject(guardFields);
export type GuardFile = z.infer<typeof fieldsSchema>;

export const guardSchema = fieldsSchema.describe("What the guard does for the agent, and with which model.");
