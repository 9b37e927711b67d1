import type { GuardSettings } from "../agent/guard-settings.ts";
import type { Budget, MemorySettings, RuntimeSettings, Soul, SystemPrompt } from "../agent/definition.ts";

/** An agent of the project, with an optional addition to its prompt and other runtime settings. */
export interface RefEntry extends RuntimeSettings {
  readonly kind: "ref";
  readonly ref: string;
  readonly promptAppend?: string;
}

/** An agent that exists only in this workflow and has no personal context. */
export interface InlineEntry extends RuntimeSettings {
  readonly kind: "inline";
  readonly prompt: SystemPrompt;
  readonly soul?: Soul;
  readonly memory?: MemorySettings;
  readonly guard?: GuardSettings;
}

export type AgentEntry = RefEntry | InlineEntry;

export type WorkspaceProvider = "sqlite" | "file" | "memory";
export type DocumentProvider = "file" | "sqlite";

export interface WorkspaceSettings {
  readonly provider: WorkspaceProvider;
  readonly documents: DocumentProvider;
  /** False (`context: false`): no channel and no documents; agents get direct messages only. */
  readonly channel: boolean;
  /** The channel is also written to a file: with provider `file`, or because the workflow names the file. */
  readonly mirrored: boolean;
  /**
   * A folder that the user chose: the workspace goes on with what is there. Default: each instance has a folder of its
   * own, `.workspace/<workflow>/<tag>/` and then `.workspace/<workflow>/<tag>~2/`.
   */
  readonly bind?: string;
  /** An agent's name, or "elect" for a ballot before kickoff. */
  readonly documentOwner?: string;
  /** How long the election of the owner lasts at most. */
  readonly electionTimeoutMs?: number;
  /** File names from the old keys `context.channel.file` and `context.document.file`. */
  readonly channelFile: string;
  readonly documentFile: string;
}

export interface ParamSpec {
  readonly name: string;
  readonly type: "string" | "number" | "boolean";
  readonly description?: string;
  readonly required: boolean;
  readonly default?: string | number | boolean;
  readonly choices?: readonly string[];
}

export interface SetupStep {
  readonly shell: string;
  readonly as?: string;
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

/** How the guard observes souls in a workflow. What else its file says about the guard is in its agents. */
export interface WorkflowGuard {
  /** It can only restrict what the project allows. `observe` false: the guard does not observe behaviour in its workspaces. */
  readonly soul: { readonly observe: boolean };
}

export interface WorkflowDefinition {
  readonly name: string;
  /** In file order, which is the order of joining. */
  readonly agents: Readonly<Record<string, AgentEntry>>;
  readonly workspace: WorkspaceSettings;
  readonly params: readonly ParamSpec[];
  readonly setup: readonly SetupStep[];
  /** Variables for the setup and `${{ env.NAME }}`, besides those every setup gets: values, or `$NAME` of the caller. */
  readonly env?: Readonly<Record<string, string>>;
  readonly kickoff?: string;
  readonly budget?: Budget;
  readonly guard?: WorkflowGuard;
}
