import { z } from "zod";

/** Workflows that can be started, as every face shows them: what they are called and what they have to be given. */
export const paramView = z.object({
  name: z.string(),
  type: z.enum(["string", "number", "boolean"]),
  description: z.string().nullable(),
  /** It has no default, and the workflow does not start without it. */
  required: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  choices: z.array(z.string()).nullable(),
});
export type ParamView = z.output<typeof paramView>;

export const workflowView = z.object({
  name: z.string(),
  /** In the order of joining. */
  agents: z.array(z.string()),
  params: z.array(paramView),
  /** False: nobody begins until somebody writes. */
  kickoff: z.boolean(),
});
export type WorkflowView = z.output<typeof workflowView>;
