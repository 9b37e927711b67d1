import { z } from "zod";
import { guardSchema } from "./guard-schema.ts";
import { AGENT_NAME, INNER_PATH } from "./patterns.ts";
import { memorySchema, promptSchema, runtimeFields, soulSchema, systemPromptSchema } from "./runtime-schema.ts";

/** `.agents/<name>.yaml`: an agent with a personal context. */
export const agentSchema = z
  .strictObject({
    name: z
      .string()
      .describe("Name of the agent. Default: the name of the file.")
      .meta({ pattern: AGENT_NAME })
      .optional(),
    prompt: promptSchema.optional(),
    system_prompt: systemPromptSchema.optional(),
    soul: soulSchema.optional(),
    context: z
      .strictObject({
        dir: z
          .string()
          .min(1)
          .describe("Folder, relative to the project. Default: .agents/<name>/.")
          .meta({ pattern: INNER_PATH })
          .optional(),
      })
      .describe("Where the agent keeps memory, notes, todo and conversations.")
      .optional(),
    memory: memorySchema.optional(),
    guard: guardSchema.optional(),
    ...runtimeFields,
  })
  .meta({ oneOf: [{ required: ["prompt"] }, { required: ["system_prompt"] }] })
  .describe("An agent: who it is, and how it runs.");

export type AgentFile = z.infer<typeof agentSchema>;
