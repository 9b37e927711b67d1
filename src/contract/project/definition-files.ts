import { z } from "zod";
import { definitionProblemView } from "../agents.ts";
import { declareProposal, declareQuery } from "../operation.ts";

/** What a file of a project is for: it defines an agent or a workflow, holds the settings, or is a prompt that one of them names. */
export const definitionFileKind = z.enum(["agent", "workflow", "project", "prompt"]);

/** A file that says what a project is. */
export const definitionFileView = z.object({
  /** Relative to the project. */
  file: z.string(),
  kind: definitionFileKind,
  /** The agent or workflow it defines; for a prompt, whoever uses it. Null for the project file. */
  name: z.string().nullable(),
  /** How many mistakes were found in it. */
  problems: z.int(),
});
export type DefinitionFileView = z.output<typeof definitionFileView>;

const MAX_TEXT_CHARS = 1024 * 1024;

const file = z
  .string()
  .min(1)
  .max(1000)
  .describe("Path in the project: .agents/alice.yaml, .workflows/review.yaml, moniro.yaml, or a prompt that one names");
const text = z.string().max(MAX_TEXT_CHARS, "the file is too long").describe("The whole text of the file.");

export const listDefinitionFiles = declareQuery({
  name: "list-definition-files",
  summary: "List the files that say what the project is: agents, workflows, their prompts, and the project file.",
  method: "GET",
  path: "/definitions",
  input: z.object({}),
  output: z.object({ files: z.array(definitionFileView) }),
});

export const readDefinitionFile = declareQuery({
  name: "read-definition-file",
  summary: "Read the file of an agent, of a workflow, of a prompt or of the project, with its revision.",
  method: "GET",
  path: "/definitions/:file",
  input: z.object({ file }),
  output: definitionFileView.omit({ problems: true }).extend({
    text: z.string(),
    /** Pass it with a write, which is refused when the file has changed since. */
    revision: z.string(),
  }),
});

export const checkDefinitionFile = declareQuery({
  name: "check-definition-file",
  summary: "Say what would be wrong if a file had this text. Nothing is written.",
  method: "POST",
  path: "/definitions/:file/check",
  large: true,
  input: z.object({ file, text }),
  output: z.object({ problems: z.array(definitionProblemView.extend({ hint: z.string().nullable() })) }),
});

export const writeDefinitionFile = declareProposal({
  name: "write-definition-file",
  summary:
    "Replace or create the file of an agent, a workflow, a prompt or the project. A text with mistakes is refused.",
  method: "PUT",
  path: "/definitions/:file",
  large: true,
  input: z.object({
    file,
    text,
    revision: z
      .string()
      .nullable()
      .describe("The revision you read, or null for a new file: refused when the file has changed since."),
  }),
  output: z.object({
    file: z.string(),
    kind: definitionFileKind,
    name: z.string().nullable(),
    revision: z.string(),
    /** False when the file had this text already. */
    changed: z.boolean(),
  }),
});

const LONGEST_PROMPT = 256 * 1024;
const line = z.string().trim().min(1).max(1000).nullable();
const lines = z.array(z.string().trim().min(1).max(1000)).max(100).nullable();
const count = z.int().positive().nullable();

/** The fields of an agent's file that a form has. Null: not there, or to be taken away. */
export const agentFieldsView = z.object({
  backend: line,
  model: line,
  system: z.string().max(LONGEST_PROMPT).nullable(),
  role: line,
  style: line,
  expertise: lines,
  principles: lines,
  maxSteps: count,
  wakeup: line,
  wakeupPrompt: line,
  tokensPerDay: count,
  dollarsPerDay: z.number().positive().nullable(),
  runsPerDay: count,
  /** A duration: 30m, 2h. */
  timePerRun: line,
});
export type AgentFieldsView = z.output<typeof agentFieldsView>;

/** A file before and after a change of fields; `fields` are as the file has them before. */
const fileDraft = z.object({
  file: z.string(),
  /** For the write that follows. */
  revision: z.string(),
  before: z.string(),
  after: z.string(),
});

export const draftAgentFile = declareQuery({
  name: "draft-agent-file",
  summary: "Show what the file of an agent would be with these fields; its comments stay. Nothing is written.",
  method: "POST",
  path: "/agents/:name/draft",
  large: true,
  input: z.object({ name: z.string(), fields: agentFieldsView.partial().default({}) }),
  output: fileDraft.extend({ fields: agentFieldsView }),
});

/** A participant of a workflow, as a form has it. */
export const memberFieldsView = z.object({
  name: z.string().trim().min(1).max(64),
  ref: line.describe("The agent of the project that it is; null for one that exists only in this workflow."),
  prompt: z
    .string()
    .max(LONGEST_PROMPT)
    .nullable()
    .describe("What is added to the prompt of that agent; without ref, its system prompt."),
  backend: line,
  model: line,
});
export type MemberFieldsView = z.output<typeof memberFieldsView>;

const MOST_MEMBERS = 500;

/** The fields of a workflow's file that a form has. Null: not there, or to be taken away. */
export const workflowFieldsView = z.object({
  kickoff: z.string().max(LONGEST_PROMPT).nullable(),
  documentOwner: line,
  /** The budget, from opening its workspace to closing it. */
  turns: count,
  tokens: count,
  dollars: z.number().positive().nullable(),
  hops: count,
  /** A duration: 30m, 2h. */
  wallTime: line,
  members: z
    .array(memberFieldsView)
    .max(MOST_MEMBERS)
    .describe("All participants. One that is left out is taken away; what a form does not have stays."),
});
export type WorkflowFieldsView = z.output<typeof workflowFieldsView>;

export const draftWorkflowFile = declareQuery({
  name: "draft-workflow-file",
  summary: "Show what the file of a workflow would be with these fields; its comments stay. Nothing is written.",
  method: "POST",
  path: "/workflows/:name/draft",
  large: true,
  input: z.object({ name: z.string(), fields: workflowFieldsView.partial().default({}) }),
  output: fileDraft.extend({ fields: workflowFieldsView }),
});
