import { z } from "zod";
import { ENGINE_NAMES } from "../../../domain/agent/engines.ts";
import { TOOL_PRESETS } from "../../../domain/agent/team-tool-names.ts";
import { DURATION_TEXT, VARIABLE_REFERENCE, WAKEUP_TEXT } from "./patterns.ts";

/** The YAML keys that all kinds of agents share. `normalise-runtime.ts` interprets them. */
const text = (description: string) => z.string().min(1).describe(description);
const count = (description: string) => z.int().positive().describe(description);
const names = (description: string) => z.array(z.string().min(1)).describe(description);

export const durationText = (description: string) =>
  text(`${description} A number and a unit: 30s, 5m, 2h.`).meta({ pattern: DURATION_TEXT });

export const envTable = (description: string) =>
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).describe(description);

export const providerSchema = z
  .union([
    text("Name of a provider."),
    z.strictObject({
      name: text("Name of the provider."),
      base_url: text("Address of the API, for a proxy or a compatible server.").optional(),
      api_key: text("Environment variable that holds the key, written $NAME. Never the key itself.")
        .meta({ pattern: VARIABLE_REFERENCE })
        .optional(),
    }),
  ])
  .describe("Who serves the model, when the model name does not say it.");

const scheduleSchema = z
  .strictObject({
    wakeup: text("An interval (5m), or a cron expression of five or six fields.").meta({ pattern: WAKEUP_TEXT }),
    prompt: text("What the agent is told when it wakes up.").optional(),
    workspace: text("workflow or workflow:tag to wake up in. Absent: the agent's direct messages.").optional(),
    tz: text("Time zone of a cron expression, such as Europe/Berlin.").optional(),
  })
  .describe("Wakes the agent up by itself.");

const permissionsSchema = z
  .strictObject({
    mode: z
      .enum(["virtual", "project", "host"])
      .describe(
        "Where the shell runs. virtual: it writes nothing to the disk. project: the same shell, which writes files of the project. host: this machine.",
      )
      .optional(),
    allow: names("Tools that run without asking: bash, bash(git status*), team_doc_*.").optional(),
    ask: names("Tools a person approves each time.").optional(),
    deny: names("Tools that it does not get, whatever else says so.").optional(),
  })
  .describe("What the agent may do.");

export const budgetSchema = z
  .strictObject({
    tokens: count("Tokens that may be used, cached and reasoning ones included.").optional(),
    turns: count("Runs that may be started.").optional(),
    hops: count("Length of a chain of messages that answer each other. Not for agents.").optional(),
    cost_usd: z
      .number()
      .positive()
      .describe("Money that may be spent, in US dollars, as far as it is known.")
      .optional(),
    wall_time: durationText("Time that may be spent working. Of an agent: in one run.").optional(),
  })
  .describe(
    "Limits that stop the work and say so. Of an agent: for each day (UTC). Of a workflow: from opening its workspace to " +
      "closing it, and for each chain of messages. Of the project: for each chain of messages, and for each agent.",
  );

const amount = (description: string) => z.number().min(0).describe(description);

export const priceSchema = z
  .strictObject({
    input: amount("US dollars for a million tokens that are sent.").optional(),
    output: amount("US dollars for a million tokens that are generated.").optional(),
    cached_input: amount("US dollars for a million tokens that the provider had cached. Default: input.").optional(),
    cache_write: amount("US dollars for a million tokens that the provider caches. Default: input.").optional(),
    step: amount("US dollars for each step, for engines that report no tokens.").optional(),
  })
  .describe("What a model costs.");

const mcpServerSchema = z.union([
  z.strictObject({
    command: text("Program to start."),
    args: z.array(z.string()).describe("Its arguments.").optional(),
    env: envTable("Environment variables it gets; $NAME takes the value from the daemon's environment.").optional(),
    cwd: text("Its working directory, relative to the project.").optional(),
  }),
  z.strictObject({
    url: text("Address of a server that is already running."),
    headers: z.record(z.string(), z.string()).describe("Headers of every request; $NAME takes a variable.").optional(),
  }),
]);

const embeddingModel = text("provider/model of an embedding model.");

export const memorySchema = z
  .strictObject({
    budget: count("Tokens of memory a prompt may hold.").optional(),
    auto_load: z.boolean().describe("Put what fits the message into the prompt.").optional(),
    search: z.boolean().describe("Let the agent search its memory.").optional(),
    archive: z.boolean().describe("Keep old entries for searching.").optional(),
    embedding: z
      .union([embeddingModel, z.strictObject({ model: embeddingModel, provider: providerSchema.optional() })])
      .describe("Model that finds texts by their meaning, too. Absent: they are found by their words.")
      .optional(),
  })
  .describe("How the agent's memory reaches its prompts.");

export const soulSchema = z
  .looseObject({
    role: text("What the agent does.").optional(),
    expertise: names("What it knows.").optional(),
    style: text("How it works and speaks.").optional(),
    principles: names("What it holds to.").optional(),
  })
  .describe("Who the agent always is, in every workflow. Further keys are kept as they are.");

/** Exactly one of the two keys. The loader checks it; the JSON Schema has it as `oneOf`. */
export const promptSchema = z
  .strictObject({
    system: text("The system prompt.").optional(),
    system_file: text("File with the system prompt, relative to this file or to the project.")
      .meta({ pattern: String.raw`^(?!\/)` })
      .optional(),
  })
  .meta({ oneOf: [{ required: ["system"] }, { required: ["system_file"] }] })
  .describe("What the agent is told to be: system or system_file, one of the two.");

export const systemPromptSchema = text("Old spelling of prompt: the text itself, or a path that ends in .md or .txt.");

const timeoutsSchema = z
  .strictObject({
    connect: durationText("Until the provider is connected. Default: 10s. Not for programs.").optional(),
    first_byte: durationText(
      "Until the answer begins. Default: 5m; for programs 2m until their first output.",
    ).optional(),
    between: durationText("Between two pieces of content. Default: 4m; for programs 20m without output.").optional(),
    step: durationText(
      "For one whole answer, without tools. Default: 30m; for programs the whole turn, no limit.",
    ).optional(),
  })
  .describe("How long a model or a program may be silent. After that the run waits and tries again.");

export const modelFields = {
  model: z
    .union([
      text("provider/model, provider:model, an alias of the engine, or auto. For mock: the path of its script."),
      names(
        "Models, the preferred first. The next is used when one has no quota left, is out of order or refuses.",
      ).min(1),
    ])
    .describe("The model, or a list of models: the next one is used when one fails.")
    .optional(),
  backend: z.enum(ENGINE_NAMES).describe("Engine that runs the agent. Default: sdk.").optional(),
  provider: providerSchema.optional(),
  max_tokens: count("Tokens one answer may have.").optional(),
  max_steps: count("Model calls one run may make.").optional(),
  timeout: durationText("Longest time a run may take.").optional(),
  timeouts: timeoutsSchema.optional(),
  permissions: permissionsSchema.optional(),
  budget: budgetSchema.optional(),
  env: envTable("Environment variables of the engine; $NAME takes the value from the daemon's environment.").optional(),
};

const runsOnSchema = z.strictObject({
  node: text("Name of the node: daemon start --node NAME.").optional(),
  labels: z
    .union([text("A label that the node must have."), names("Labels that the node must have, all of them.")])
    .describe("One label, or several, that the node must have.")
    .optional(),
  engine: z.enum(ENGINE_NAMES).describe("An engine that the node must have besides the one of the agent.").optional(),
});

export const worktreeSchema = z.union([z.boolean(), text("Name of a new branch.")]);

export const runtimeFields = {
  ...modelFields,
  schedule: scheduleSchema.optional(),
  tools: z
    .union([
      // The loader checks the word, because it can say what to write instead.
      text("A set of tools.").meta({ enum: [...TOOL_PRESETS] }),
      names(
        "Sets and single tools: bash, read_file, write_file, list_files, skill_read and those of the team. * stands for any letters.",
      ),
    ])
    .describe(
      "The tools it gets. minimal: to read and to answer. team: what a team needs, and on sdk a shell and skills. full: all. Default: team.",
    )
    .optional(),
  mcp_servers: z.record(z.string(), mcpServerSchema).describe("MCP servers of the agent, by name.").optional(),
  cwd: text("Working directory of the engine, relative to the project.").optional(),
  worktree: worktreeSchema
    .describe(
      "Work in a git worktree, on a branch of its own: true, or the name of a new branch. Needs a shell that writes files. Default: false.",
    )
    .optional(),
  runs_on: runsOnSchema
    .describe("On which nodes it may run, where several machines share a store. Default: any that has its engine.")
    .optional(),
  command: z.array(z.string().min(1)).min(1).describe("Program and arguments of an acp engine.").optional(),
};

const modelSchema = z.strictObject(modelFields);
const runtimeSchema = z.strictObject(runtimeFields);
export type ModelFile = z.infer<typeof modelSchema>;
export type RuntimeFile = z.infer<typeof runtimeSchema>;
export type TimeoutsFile = z.infer<typeof timeoutsSchema>;
export type BudgetFile = z.infer<typeof budgetSchema>;
export type MemoryFile = z.infer<typeof memorySchema>;
export type PromptFile = { prompt?: z.infer<typeof promptSchema> | undefined; system_prompt?: string | undefined };
