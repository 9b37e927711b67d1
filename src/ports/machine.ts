import type { EngineName } from "../domain/agent/definition.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/** What this machine has for a project, and what belongs to the person and not to a project: keys, and the demo. */
export interface Machine {
  /** The teams that a project can begin with. */
  templates(): readonly TeamTemplateEntry[];
  /** What a team can run on here, the preferred first. Starts programs to ask for their versions; asks no model. */
  engines(): Promise<readonly UsableEngine[]>;
  /** The providers of models that need a key. A value is never returned. */
  providers(): Promise<readonly ProviderEntry[]>;
  /**
   * Writes the files of a team into a project without definitions. Refuses `conflict` when there are any, `not_found`
   * for an unknown team.
   */
  createTeam(team: string, engine: UsableEngine): Promise<Result<CreatedTeam, Refusal>>;
  /** Keeps the key of a provider in the home of the person. Refuses `not_found` for an unknown provider. */
  storeKey(provider: string, value: string): Promise<Result<{ readonly place: "keyring" | "file" }, Refusal>>;
  /** Refuses `not_found` when no key of the provider is kept. */
  removeKey(provider: string): Promise<Result<void, Refusal>>;
  /** What `doctor` finds. Changes nothing. */
  examine(): Promise<readonly MachineFinding[]>;
  /** Makes the project of the demo, or finds it, and returns its folder and workflow. */
  openDemo(): Promise<Result<{ readonly project: string; readonly workflow: string }, Refusal>>;
}

export interface TeamTemplateEntry {
  readonly name: string;
  /** For a person who chooses. */
  readonly about: string;
  readonly workflow: string | null;
  readonly agent: string | null;
}

export interface UsableEngine {
  readonly engine: EngineName;
  readonly model?: string | undefined;
  /** Of a server that speaks chat completions. */
  readonly baseUrl?: string | undefined;
}

export interface ProviderEntry {
  readonly name: string;
  readonly variable: string;
  /** The daemon has a key of it, kept or in its environment. */
  readonly ready: boolean;
  readonly model: string | null;
}

export interface CreatedTeam {
  readonly files: readonly string[];
  readonly workflow: string | null;
  readonly agent: string | null;
}

export interface MachineFinding {
  readonly check: string;
  readonly state: "ok" | "warning" | "problem" | "fixed";
  readonly message: string;
  readonly next: string | null;
}
