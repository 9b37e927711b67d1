import type { AgentDefinition, Budget, MemorySettings, RuntimeSettings } from "../domain/agent/definition.ts";
import type { GuardSettings } from "../domain/agent/guard-settings.ts";
import type { Price } from "../domain/budget/price.ts";
import type { WorkflowDefinition, WorkspaceProvider } from "../domain/workflow/definition.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/** An error or warning about a definition file, with its place. Never contains a secret or a stack. */
export interface DefinitionProblem {
  /** An error keeps the definition from loading; a warning does not. */
  readonly severity: "error" | "warning";
  /** Relative to the project where the file is inside it. */
  readonly file: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** The YAML path of the place; empty for the whole file. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The source line, at most 200 characters, secrets masked. */
  readonly text: string;
  readonly hint?: string;
}

export interface BrokenEntry {
  readonly name: string;
  readonly problem: DefinitionProblem;
}

/** Where the store is. */
export interface StoreSettings {
  readonly provider: "sqlite" | "postgres";
  /** The file of SQLite. What is derived from a store on PostgreSQL, such as the memory index, is in its folder. */
  readonly path: string;
  /** A server: `postgres://user@host/database`, or `$NAME` for the variable that says it. */
  readonly url?: string;
  /** The schema of the database that holds the project. */
  readonly schema?: string;
}

/** The settings of the whole project, from the project file. */
export interface ProjectSettings {
  readonly workspace: {
    readonly provider: WorkspaceProvider;
    readonly base: string;
    /** Where documents are when a workflow does not say it, and nothing needs them as files. */
    readonly documents: "file" | "sqlite";
  };
  /** Already applied to every agent and workflow that `Definitions` returns. */
  readonly defaults: ProjectDefaults;
  readonly store: StoreSettings;
  /** Where personal contexts are. `store`: all nodes share them. */
  readonly context: { readonly provider: "file" | "store" };
  readonly guard: SoulSettings;
  /** What models cost, by `provider/model`. Counts before the price list of agent-worker. */
  readonly prices: Readonly<Record<string, Price>>;
  readonly retention: RetentionSettings;
}

/** How long old data stays, in milliseconds; null: for ever. */
export interface RetentionSettings {
  /** Transcripts, tool calls and receipts of ended runs. The last ones of each conversation stay. */
  readonly transcriptsMs: number | null;
  /** Events; a million of them at most, unless they stay for ever. */
  readonly eventsMs: number | null;
  /** Closed workspaces in which nothing waits, with their messages. */
  readonly workspacesMs: number | null;
  /** Dead letters, which are dropped then. */
  readonly deadLettersMs: number | null;
}

/** How the guard changes souls. What else the file says about the guard is in `defaults`. */
export interface SoulSettings {
  readonly soul: {
    /** The guard observes repeated behaviour. */
    readonly observe: boolean;
    /** `ask`: a person approves every change of a soul. `small`: small changes that the guard proposes apply at once. */
    readonly apply: "ask" | "small";
  };
}

export interface ProjectDefaults extends Pick<
  RuntimeSettings,
  "model" | "fallbackModels" | "backend" | "provider" | "maxTokens" | "maxSteps" | "timeoutMs" | "permissions" | "env"
> {
  readonly memory?: MemorySettings;
  readonly budget?: Budget;
  readonly guardDefaults?: GuardSettings;
}

/** Which definition is meant: that of an agent in its direct messages, or of a member of a workflow. */
export interface DefinitionUse {
  /** Its name there. */
  readonly agent: string;
  readonly workflow: WorkflowPlace | null;
}

/** A file of the project before and after a change. */
export interface FileChange {
  /** Relative to the project. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** A file that says what a project is, by its path in the project. */
export interface DefinitionSource {
  readonly file: string;
  readonly kind: "agent" | "workflow" | "project" | "prompt";
  /** What it defines; for a prompt, who uses it. Null for the project file. */
  readonly name: string | null;
}

/** The fields of an agent's file that a form has. Null: not there, or to be taken away. */
export interface AgentFields {
  readonly backend: string | null;
  readonly model: string | null;
  readonly system: string | null;
  readonly role: string | null;
  readonly style: string | null;
  readonly expertise: readonly string[] | null;
  readonly principles: readonly string[] | null;
  readonly maxSteps: number | null;
  readonly wakeup: string | null;
  readonly wakeupPrompt: string | null;
  readonly tokensPerDay: number | null;
  readonly dollarsPerDay: number | null;
  readonly runsPerDay: number | null;
  /** A duration. */
  readonly timePerRun: string | null;
}

/** A participant as the file of a workflow has it. */
export interface MemberFields {
  readonly name: string;
  /** The agent of the project that it is; null for one that exists only in this workflow. */
  readonly ref: string | null;
  /** What is added to the prompt of that agent; without `ref`, its system prompt. */
  readonly prompt: string | null;
  readonly backend: string | null;
  readonly model: string | null;
}

/** The fields of a workflow's file that a form has. The numbers are its budget. */
export interface WorkflowFields {
  readonly kickoff: string | null;
  readonly documentOwner: string | null;
  readonly turns: number | null;
  readonly tokens: number | null;
  readonly dollars: number | null;
  readonly hops: number | null;
  readonly wallTime: string | null;
  /** All participants, in the order of the file. */
  readonly members: readonly MemberFields[];
}

export type FieldChanges<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

/** A file before and after a change of its fields. */
export interface FieldsChange<Fields> extends FileChange {
  readonly revision: string;
  /** As the file has them before. */
  readonly fields: Fields;
}

export interface WrittenSource extends DefinitionSource {
  readonly revision: string;
  /** False when the file had this text already. */
  readonly changed: boolean;
}

/** A workflow of the project by its name, or one from a file that a person named. */
export interface WorkflowPlace {
  readonly name: string;
  /** Relative to the project where it is inside; null for a workflow of the project. */
  readonly file: string | null;
}

/**
 * The agents and workflows of one project, as last read from its files, and the ephemeral agents, which are in memory
 * only.
 *
 * Reads are synchronous and return the state of the last `refresh`; they never throw, and touch the disk only where it is
 * said. Changes through this port are visible to reads when their promise resolves, without a refresh. Names are matched
 * exactly. A second name that differs only in case is refused.
 */
export interface Definitions {
  /** Returns the definition of a persistent or ephemeral agent. Broken files are listed in `problems` only. */
  agent(name: string): AgentDefinition | undefined;
  /** Every agent, sorted by name. */
  agents(): readonly AgentDefinition[];
  /** Whether there is a persistent agent besides this one. Called for every tool call, so it must not list agents. */
  hasOthers(name: string): boolean;
  /** `file`: not the workflow of the project but that of a file, which is read when it is asked for the first time. */
  workflow(name: string, file?: string | null): WorkflowDefinition | undefined;
  /** Every workflow of the project, sorted by name. */
  workflows(): readonly WorkflowDefinition[];
  /** The workflows of files that persons named since the project was opened. */
  namedWorkflows(): readonly WorkflowDefinition[];
  settings(): ProjectSettings;
  /** False when the project file could not be read when the project was opened. Then `settings` are the built-in ones. */
  hasSettings(): boolean;
  /** All problems of the files read last, in file order. A workflow with an unknown `ref` has one and is still usable. */
  problems(): readonly DefinitionProblem[];
  /** The first mistake in a file without which there is no such definition; undefined when no file is broken. */
  broken(use: DefinitionUse): DefinitionProblem | undefined;
  /** The agents of the project that cannot be used because a file is broken, sorted by name. */
  brokenAgents(): readonly BrokenEntry[];
  brokenWorkflows(): readonly BrokenEntry[];
  /** Whether it disappeared so lately that a program may be about to write it again. */
  vanishedLately(use: DefinitionUse): boolean;
  /** The files that define it, relative to the project. */
  filesOf(use: DefinitionUse): readonly string[];
  /** When the last of these files changed; null when there are none. Looks at the disk. */
  changedAt(files: readonly string[]): number | null;

  /**
   * Whether the files of a definition, and the folders where it could have been replaced, are as they were last read.
   * Looks at a few files (time, size and inode), at each at most once in a turn of the event loop; at none for an agent
   * in memory. Called before every run.
   */
  isCurrent(use: DefinitionUse): boolean;
  /**
   * Reads what changed on disk (by time, size and inode) and then calls the observers. Idempotent; concurrent calls share
   * one scan. A file that became invalid disappears from the reads and appears in `problems`. While the project file
   * itself is invalid, the reads return what they returned before, and everything is `broken`. Rejects only when the
   * project folder itself cannot be read.
   */
  refresh(): Promise<void>;
  /** Calls the function after every change; `refresh` waits for it. It must not call `refresh`, and must not reject. */
  observe(changed: () => Promise<void>): Disposable;
  /** Calls the function soon after a file may have changed, where the machine reports that. `refresh` finds out what. */
  watch(mayHaveChanged: () => void): Disposable;

  /**
   * Writes `.agents/<name>.yaml`, creates the folder of the personal context, and adds the agent to the project file if
   * that lists its agents. Refuses `conflict` when the name or the file exists, in any case, and `invalid` when the file
   * would not load as the same definition. The agent's file is complete or absent after a crash.
   */
  createAgent(definition: AgentDefinition): Promise<Result<{ readonly file: string }, Refusal>>;
  /**
   * Removes the definition and, with `context`, the personal context. The definition is removed first: a crash between
   * the two leaves the memories. Refuses `not_found`, and `conflict` for an agent that is written inside the project
   * file. In a folder chosen with `context.dir`, only the agent's files are removed.
   */
  deleteAgent(name: string, options: { readonly context: boolean }): Promise<Result<void, Refusal>>;

  /**
   * Adds patterns to `permissions.allow` in the file of a persistent agent, and returns the file before and after.
   * Without `write` the file stays as it is. Refuses `conflict` when the agent has no file of its own.
   */
  allowCalls(
    name: string,
    patterns: readonly string[],
    options: { readonly write: boolean },
  ): Promise<Result<FileChange, Refusal>>;

  /** The files of agents, workflows, their prompts and the project. */
  sources(): readonly DefinitionSource[];
  /** Refuses `not_found` for a file that is not one of them. */
  readSource(file: string): Result<DefinitionSource & { readonly text: string; readonly revision: string }, Refusal>;
  /** What would be wrong if the file had this text. Also for a new agent or workflow, by its path. */
  checkSource(file: string, text: string): Result<readonly DefinitionProblem[], Refusal>;
  /** What the file of an agent would be with these fields. Nothing is written. */
  draftAgent(name: string, fields: FieldChanges<AgentFields>): Result<FieldsChange<AgentFields>, Refusal>;
  /** What the file of a workflow would be with these fields. Nothing is written. */
  draftWorkflow(name: string, fields: FieldChanges<WorkflowFields>): Result<FieldsChange<WorkflowFields>, Refusal>;
  /**
   * Replaces or creates a file. Refuses `stale_revision` unless the file has the revision (null: does not exist), and
   * `invalid` for a text with errors.
   */
  writeSource(
    file: string,
    content: { readonly text: string; readonly revision: string | null },
  ): Promise<Result<WrittenSource, Refusal>>;

  /**
   * Reads a workflow from a file that a person named, inside or outside the project; its prompt files must be in the
   * project. Returns how `workflow` finds it from then on. Refuses `invalid` with all problems of the file.
   */
  readWorkflow(path: string): Result<WorkflowPlace, Refusal>;

  /**
   * Adds a workflow with the agents of a request, checked like the `agents` of a workflow file. Its kickoff mentions all
   * of them, its workspace is in memory, and its name is not used again while the project is open. `workflow` returns it
   * until it is removed; `workflows` does not list it. Refuses `invalid` with all problems, each with its field.
   */
  addTeam(agents: Readonly<Record<string, unknown>>): Result<WorkflowDefinition, Refusal>;
  removeTeam(name: string): void;

  /** Returns the first free `agent-N`, from 1. Does not reserve it. */
  nextEphemeralName(): string;
  /**
   * Adds an agent to memory only; with `workspace`, also a workflow of its name in which it alone takes part, which
   * `workflows` does not list. Refuses `conflict` when a name is taken, `invalid` when it is not a name.
   */
  addEphemeral(definition: AgentDefinition, options?: { readonly workspace: boolean }): Result<void, Refusal>;
  /** False when there was no such ephemeral agent. */
  removeEphemeral(name: string): boolean;
  isEphemeral(name: string): boolean;
  /** Creates a persistent agent from an ephemeral one, under a new name. Removes the ephemeral one after the write. */
  promote(ephemeral: string, name: string): Promise<Result<{ readonly file: string }, Refusal>>;
}
