import type { AgentDefinition, Budget, MemorySettings, RuntimeSettings } from "../domain/agent/definition.ts";
import type { WorkflowDefinition, WorkspaceProvider } from "../domain/workflow/definition.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/** Something wrong in a definition file, with the place a person has to look at. Never holds a secret or a stack. */
export interface DefinitionProblem {
  /** An error keeps the definition from loading; a warning does not. */
  readonly severity: "error" | "warning";
  /** Relative to the project where the file is inside it. */
  readonly file: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** The keys that lead to the place; empty for the file as a whole. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The source line, at most 200 characters, secrets masked. */
  readonly text: string;
  readonly hint?: string;
}

/** What the project file sets for everything in the project. */
export interface ProjectSettings {
  readonly workspace: { readonly provider: WorkspaceProvider; readonly base: string };
  /** Already applied to every agent and workflow the registry returns. */
  readonly defaults: ProjectDefaults;
  readonly store: { readonly provider: "sqlite"; readonly path: string };
  readonly guard: GuardSettings;
}

export interface GuardSettings {
  readonly soul: {
    /** The guard looks for repeated behaviour by itself. */
    readonly observe: boolean;
    /** Ask: every change of a soul waits for a person. Small: small ones that the guard observed do not. */
    readonly apply: "ask" | "small";
  };
}

export interface ProjectDefaults extends Pick<
  RuntimeSettings,
  "model" | "backend" | "provider" | "maxTokens" | "maxSteps" | "timeoutMs" | "permissions" | "env"
> {
  readonly memory?: MemorySettings;
  readonly budget?: Budget;
}

/**
 * The agents and workflows of one project, as last read from its files, plus the ephemeral agents that live in memory.
 *
 * Reads are synchronous and answer from the last `refresh`; they never touch the disk and never throw. Changes made
 * through this port are visible to reads as soon as their promise resolves, without a refresh. Names are matched
 * exactly; two names that differ only by case are refused where the second one appears.
 */
export interface Definitions {
  /** The definition of a persistent or ephemeral agent. Broken files are absent here and present in `problems`. */
  agent(name: string): AgentDefinition | undefined;
  /** Every agent, sorted by name. */
  agents(): readonly AgentDefinition[];
  /** Whether there is a persistent agent besides this one. Asked for every call of a tool: it lists nobody. */
  hasOthers(name: string): boolean;
  workflow(name: string): WorkflowDefinition | undefined;
  /** Every workflow, sorted by name. */
  workflows(): readonly WorkflowDefinition[];
  settings(): ProjectSettings;
  /** Everything wrong with the files read last, in file order. A workflow whose `ref` is unknown is listed and kept. */
  problems(): readonly DefinitionProblem[];

  /**
   * Reads what changed on disk (by time, size and inode). Idempotent; concurrent calls share one scan. A file that
   * became invalid disappears from the reads and appears in `problems`. Rejects only when the project folder itself
   * cannot be read.
   */
  refresh(): Promise<void>;

  /**
   * Writes `.agents/<name>.yaml`, makes the folder of its personal context, and lists it in the project file when that one lists its agents. Refuses `conflict`
   * when the name or the file exists, in whatever case, and `invalid` when the written file would not load back to the
   * same definition. All or nothing for the agent's own file: it is complete or absent after a crash.
   */
  createAgent(definition: AgentDefinition): Promise<Result<{ readonly file: string }, Refusal>>;
  /**
   * Removes the definition and, with `context`, the personal context. The definition goes first: after a crash between
   * the two the agent is gone and its memories are still there. Refuses `not_found`, and `conflict` for an agent that
   * is written inside the project file. A folder chosen with `context.dir` loses only what an agent keeps there.
   */
  deleteAgent(name: string, options: { readonly context: boolean }): Promise<Result<void, Refusal>>;

  /**
   * Reads a workflow from a file a person named, which may lie anywhere; its prompts must still be in the project. It is
   * known under its name as long as this project is open, before one of the same name in the project. Refuses `invalid`
   * with everything that is wrong with the file.
   */
  addWorkflow(path: string): Result<WorkflowDefinition, Refusal>;

  /**
   * Adds a workflow of agents that somebody gave with a request, checked as the `agents` of a workflow file are. Its
   * kickoff calls all of them, its workspace is in memory, and its name is never used again while the project is open.
   * `workflow` knows it until it is removed; it is not listed. Refuses `invalid` with everything that is wrong, each by
   * its field.
   */
  addTeam(agents: Readonly<Record<string, unknown>>): Result<WorkflowDefinition, Refusal>;
  removeTeam(name: string): void;

  /** The first free `agent-N`, from 1. Does not reserve it. */
  nextEphemeralName(): string;
  /** Adds an agent to memory only. Refuses `conflict` when the name is taken, `invalid` when it is not a name. */
  addEphemeral(definition: AgentDefinition): Result<void, Refusal>;
  /** False when there was no such ephemeral agent. */
  removeEphemeral(name: string): boolean;
  isEphemeral(name: string): boolean;
  /** `createAgent` under a new name from an ephemeral agent, which is removed only when the file was written. */
  promote(ephemeral: string, name: string): Promise<Result<{ readonly file: string }, Refusal>>;
}
