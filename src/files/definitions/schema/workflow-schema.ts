import { z } from "zod";
import { guardFields, guardSchema } from "./guard-schema.ts";
import { AGENT_NAME, FILE_NAME, INNER_PATH, OUTPUT_NAME, WORKFLOW_NAME } from "./patterns.ts";
import {
  budgetSchema,
  durationText,
  worktreeSchema,
  envTable,
  memorySchema,
  promptSchema,
  runtimeFields,
  soulSchema,
  systemPromptSchema,
} from "./runtime-schema.ts";

const refSchema = z
  .strictObject({
    ref: z.string().min(1).describe("Name of an agent of the project."),
    prompt: z
      .strictObject({
        append: z.string().min(1).describe("Text added to the agent's prompt in this workflow.").optional(),
      })
      .meta({ required: ["append"] })
      .describe("What this workflow adds to the agent's prompt.")
      .optional(),
    ...runtimeFields,
  })
  .describe("An agent of the project, with at most an addition to its prompt and other runtime settings.");

const inlineSchema = z
  .strictObject({
    prompt: promptSchema.optional(),
    system_prompt: systemPromptSchema.optional(),
    soul: soulSchema.optional(),
    memory: memorySchema.optional(),
    guard: guardSchema.optional(),
    ...runtimeFields,
  })
  .meta({ oneOf: [{ required: ["prompt"] }, { required: ["system_prompt"] }] })
  .describe("An agent that exists only in this workflow.");

const entrySchema = z
  .union([
    z.string().min(1).describe("Name of an agent of the project; the same as {ref: NAME}."),
    refSchema,
    inlineSchema,
  ])
  .describe("One participant.");

const fileChoice = (what: string, initial: string) =>
  z
    .union([
      z.null(),
      z.boolean(),
      z.strictObject({
        file: z
          .string()
          .min(1)
          .describe(`Name of the file. Default: ${initial}.`)
          .meta({ pattern: FILE_NAME })
          .optional(),
      }),
    ])
    .describe(what);

const workspaceFields = {
  provider: z.enum(["sqlite", "file", "memory"]).describe("Where messages are kept. Default: sqlite.").optional(),
  documents: z
    .enum(["file", "store", "sqlite"])
    .describe(
      "Where documents are kept. Default: file, or store as the personal contexts. sqlite is the old name of store.",
    )
    .optional(),
  documentOwner: z
    .string()
    .min(1)
    .describe("The one agent that may write documents, or elect: the participants vote before the kickoff.")
    .optional(),
  electionTimeout: z
    .string()
    .min(1)
    .describe("How long they may vote; then it is the first participant. Default: 2m.")
    .optional(),
  bind: z
    .string()
    .min(1)
    .describe("Folder of the workspace, kept across runs, relative to the project.")
    .meta({ pattern: INNER_PATH })
    .optional(),
  dir: z.string().min(1).describe("The same as bind.").meta({ pattern: INNER_PATH }).optional(),
  channel: fileChoice("The channel; false for none.", "channel.md").optional(),
  document: fileChoice("The shared document.", "notes.md").optional(),
};

const workspaceSchema = z
  .union([z.null(), z.boolean(), z.strictObject(workspaceFields)])
  .describe("Where the agents meet. false: no channel and no documents, direct messages only.");

const contextSchema = z
  .union([
    z.null(),
    z.boolean(),
    z.strictObject({
      ...workspaceFields,
      config: z
        .strictObject({
          db: z.string().min(1).describe("No longer used: a project has one database.").optional(),
          dir: z.string().min(1).describe("Old spelling of workspace.bind.").optional(),
        })
        .describe("Old settings of the provider.")
        .optional(),
    }),
  ])
  .describe("Old spelling of workspace.");

const paramFields = {
  type: z.enum(["string", "number", "boolean"]).describe("Default: string.").optional(),
  description: z.string().describe("Shown in the help of the workflow.").optional(),
  required: z.boolean().describe("Refuse to start without it. Default: false.").optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).describe("Value when none is given.").optional(),
  choices: z.array(z.string()).min(1).describe("The only values it may have.").optional(),
};

const paramsSchema = z
  .union([
    z.record(z.string(), z.union([z.null(), z.strictObject(paramFields)])),
    z.array(z.strictObject({ name: z.string().describe("Name of the parameter."), ...paramFields })),
  ])
  .describe("Values given at the start, used as ${{ params.NAME }}.");

/** `.workflows/<name>.yaml`: the agents, their workspace, and how the work begins. */
export const workflowSchema = z
  .strictObject({
    name: z
      .string()
      .describe("Name of the workflow. Default: the name of the file.")
      .meta({ pattern: WORKFLOW_NAME })
      .optional(),
    agents: z
      .record(z.string(), entrySchema)
      .describe("The participants, by name, in the order of joining.")
      .meta({ minProperties: 1, propertyNames: { type: "string", pattern: AGENT_NAME } }),
    workspace: workspaceSchema.optional(),
    context: contextSchema.optional(),
    worktree: worktreeSchema
      .describe(
        "All its agents work in one git worktree, on one branch: true, or the name of a new branch. Default: false.",
      )
      .optional(),
    params: paramsSchema.optional(),
    setup: z
      .array(
        z.strictObject({
          shell: z.string().min(1).describe("Command to run. Values reach it as environment variables."),
          as: z
            .string()
            .min(1)
            .describe("Name under which its output is used: ${{ NAME }}.")
            .meta({ pattern: OUTPUT_NAME })
            .optional(),
          cwd: z.string().min(1).describe("Working directory, relative to the project.").optional(),
          timeout: durationText("Longest time it may take.").optional(),
        }),
      )
      .describe("Commands that run before the kickoff.")
      .optional(),
    env: z
      .union([
        z.array(z.string().min(1)).describe("Names of variables of the one who starts the workflow."),
        envTable("Variables and their values; $NAME takes the value from the one who starts the workflow."),
      ])
      .describe("Variables for setup and ${{ env.NAME }}, besides those every setup gets.")
      .optional(),
    kickoff: z.string().min(1).describe("First message of the workspace. Its @mentions wake the agents.").optional(),
    budget: budgetSchema.optional(),
    guard: z
      .strictObject({
        ...guardFields,
        soul: z
          .strictObject({
            observe: z
              .boolean()
              .describe("false: what is said and done in its workspaces says nothing about a soul. Default: true.")
              .optional(),
          })
          .describe("How souls change.")
          .optional(),
      })
      .describe("Settings of the guard in this workflow. What an agent says itself counts first.")
      .optional(),
  })
  .meta({ not: { required: ["workspace", "context"] } })
  .describe("A workflow: who takes part, where they meet, and how it begins.");

export type WorkflowFile = z.infer<typeof workflowSchema>;
export type EntryFile = z.infer<typeof entrySchema>;
export type InlineFile = z.infer<typeof inlineSchema>;
export type ContextFile = z.infer<typeof contextSchema>;
export type ParamsFile = z.infer<typeof paramsSchema>;

/** A mapping with `ref` is always checked as a reference, so that its mistakes are reported as such. */
export function isRefEntry(value: unknown): value is { ref: unknown } {
  return typeof value === "object" && value !== null && "ref" in value;
}
