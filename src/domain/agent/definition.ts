import type { EngineName } from "./engines.ts";
import type { GuardSettings } from "./guard-settings.ts";
import type { EmbeddingChoice, ProviderChoice } from "./model.ts";
import type { RunsOn } from "../node/runs-on.ts";
import type { WorktreeChoice } from "../worktree/worktree.ts";

export type { EngineName } from "./engines.ts";
export type { ProviderChoice } from "./model.ts";

/** Exactly one source of the system prompt. A file path is already resolved and confined by the loader. */
export type SystemPrompt = { readonly system: string } | { readonly systemFile: string };

/** Who the agent always is. The four usual traits are typed; any other key is shown to the model as written. */
export interface Soul {
  readonly role?: string;
  readonly expertise?: readonly string[];
  readonly style?: string;
  readonly principles?: readonly string[];
  readonly [trait: string]: unknown;
}

export interface ScheduleSpec {
  /** An interval ("5m") or a five- or six-field cron expression; `domain/schedule/schedule.ts` parses both. */
  readonly wakeup: string;
  readonly prompt?: string;
  /** "workflow" or "workflow:tag"; absent = the agent's direct messages. */
  readonly workspace?: string;
  /** IANA time zone of a cron expression. */
  readonly timeZone?: string;
}

export interface MemorySettings {
  /** Maximum tokens of memory in a prompt. */
  readonly budget?: number;
  readonly autoLoad?: boolean;
  readonly search?: boolean;
  readonly archive?: boolean;
  /** The model by which texts are also found by their meaning: see `embeddingOf`. */
  readonly embedding?: EmbeddingChoice;
}

/** Where the shell runs and what it writes: in memory only, files of the project, or anything on this machine. */
export type PermissionMode = "virtual" | "project" | "host";

export interface Permissions {
  readonly mode?: PermissionMode;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** Limits of a run. Absent: the workspace's, then the project's, then the built-in limit. */
export interface Budget {
  readonly tokens?: number;
  readonly turns?: number;
  readonly hops?: number;
  readonly costUsd?: number;
  readonly wallTimeMs?: number;
}

/** How long the engine may be silent. Absent: the limits of the engine. A program has no connection to limit. */
export interface SilenceLimits {
  readonly connectMs?: number;
  /** Until the answer begins. */
  readonly firstByteMs?: number;
  /** Between two pieces of content. */
  readonly betweenMs?: number;
  /** One whole answer of the model; of a program, its whole turn. */
  readonly stepMs?: number;
}

export type McpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** Settings that a workflow may override for an agent it refers to. */
export interface RuntimeSettings {
  readonly model?: string;
  /** Tried in this order when the model before has no quota left, is out of order or refuses. */
  readonly fallbackModels?: readonly string[];
  readonly backend?: EngineName;
  readonly provider?: ProviderChoice;
  readonly maxTokens?: number;
  readonly maxSteps?: number;
  /** Longest time of a whole run. */
  readonly timeoutMs?: number;
  readonly timeouts?: SilenceLimits;
  readonly schedule?: ScheduleSpec;
  readonly tools?: readonly string[];
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  readonly permissions?: Permissions;
  readonly budget?: Budget;
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory of the engine, relative to the project. */
  readonly cwd?: string;
  /** It works in a git worktree, on a branch of its own or of its workspace, instead of the project itself. */
  readonly worktree?: WorktreeChoice;
  /** On which nodes it may run. Absent: on any that has its engine. */
  readonly runsOn?: RunsOn;
  /** Command line of the program, for the `acp` engine. */
  readonly command?: readonly string[];
  /** What the project and the workflow say about the guard. What the agent says itself counts first. */
  readonly guardDefaults?: GuardSettings;
}

/**
 * The definition of an agent after its file was read and checked. Only `files/` knows the YAML spelling (snake_case,
 * old keys, shorthands).
 */
export interface AgentDefinition extends RuntimeSettings {
  readonly name: string;
  readonly prompt: SystemPrompt;
  readonly soul?: Soul;
  readonly memory?: MemorySettings;
  /** What the agent itself says about the guard: see `guardOf`. */
  readonly guard?: GuardSettings;
  /** Folder of the personal context, relative to the project. Default `.agents/<name>/`. */
  readonly contextDir?: string;
}
