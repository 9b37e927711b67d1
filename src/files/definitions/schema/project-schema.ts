import { z } from "zod";
import { agentSchema } from "./agent-schema.ts";
import { guardFields } from "./guard-schema.ts";
import { INNER_PATH, WORKFLOW_NAME } from "./patterns.ts";
import { memorySchema, modelFields, priceSchema } from "./runtime-schema.ts";

const kept = (what: string, initial: string) =>
  z.string().min(1).describe(`${what} A number and a unit, such as 30d, or never. Default: ${initial}.`).optional();

/** `moniro.yaml` or `.agents.yaml`: the settings of the whole project. */
export const projectSchema = z
  .strictObject({
    agents: z
      .array(
        z.union([
          z.string().min(1).describe("Path of an agent file, relative to the project.").meta({ pattern: INNER_PATH }),
          agentSchema.meta({ required: ["name"] }),
        ]),
      )
      .describe("The agents of the project. Absent: every file of .agents/.")
      .optional(),
    workflows: z
      .record(
        z.string(),
        z.string().min(1).describe("Path of the workflow file, relative to the project.").meta({ pattern: INNER_PATH }),
      )
      .describe("The workflows of the project, by name. Absent: every file of .workflows/.")
      .meta({ propertyNames: { type: "string", pattern: WORKFLOW_NAME } })
      .optional(),
    workspace: z
      .strictObject({
        provider: z.enum(["sqlite", "file", "memory"]).describe("Default of every workflow.").optional(),
        base: z.string().min(1).describe("Folder of the workspaces. Default: .workspace/.").optional(),
      })
      .describe("Where workspaces are kept.")
      .optional(),
    defaults: z
      .strictObject({ ...modelFields, memory: memorySchema.optional() })
      .describe("Settings of every agent that does not have its own.")
      .optional(),
    store: z
      .strictObject({
        provider: z.enum(["sqlite", "postgres"]).describe("Kind of database. A `url` means postgres.").optional(),
        path: z.string().min(1).describe("Database file. Default: .workspace/agent-worker.db.").optional(),
        url: z
          .string()
          .min(1)
          .describe("PostgreSQL server: postgres://user@host/database, or $NAME for the variable that says it.")
          .optional(),
        schema: z
          .string()
          .regex(/^[a-z_][a-z0-9_]{0,40}$/, "A schema has lower case letters, digits and _.")
          .describe("Schema of the database that holds this project. Default: agent_worker.")
          .optional(),
      })
      .describe("Where messages, deliveries, runs and ballots are kept.")
      .optional(),
    context: z
      .strictObject({
        provider: z
          .enum(["file", "store"])
          .describe("file: in the folder of each agent. store: in the database. Default: store if the store has a url.")
          .optional(),
      })
      .describe("Where personal contexts are kept: memory, notes, todos, conversations and learned souls.")
      .optional(),
    guard: z
      .strictObject({
        ...guardFields,
        soul: z
          .strictObject({
            observe: z.boolean().describe("Look for repeated behaviour by itself. Default: true.").optional(),
            apply: z
              .enum(["ask", "small"])
              .describe("small: apply small changes that the guard observed without asking. Default: ask.")
              .optional(),
          })
          .describe("How souls change.")
          .optional(),
      })
      .describe("Settings of the guard. What a workflow and then an agent say themselves count first.")
      .optional(),
    prices: z
      .record(z.string(), priceSchema)
      .describe("What models cost, by provider/model; * stands for any letters. Counts before the built-in list.")
      .optional(),
    retention: z
      .strictObject({
        transcripts: kept("Transcripts and tool calls of ended runs; the last of each conversation stays.", "30d"),
        events: kept("Events, of which a million are kept at most.", "14d"),
        workspaces: kept("Closed workspaces in which nothing waits, with their messages.", "90d"),
        dead_letters: kept("Dead letters, which are dropped then.", "never"),
      })
      .describe("How long old data stays. What is unread, unanswered or undecided is never removed.")
      .optional(),
  })
  .describe("A project: its agents, its workflows and what they share.");

export type ProjectFile = z.infer<typeof projectSchema>;
