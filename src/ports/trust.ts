import type { AgentDefinition } from "../domain/agent/definition.ts";
import type { AgentInUse } from "../domain/trust/project-abilities.ts";
import type { WorkflowDefinition } from "../domain/workflow/definition.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/**
 * The consent of a person to what a project can do. Reads are synchronous: they are made before every run. Texts are
 * sentences without a subject: "run the program claude".
 */
export interface Trust {
  /** What a person has to see before this agent acts. Empty: it may. `workflow` is null in direct messages. */
  unseenOfAgent(definition: AgentDefinition, workflow: string | null): readonly string[];
  /** The same for a workflow, with its setup and its agents. */
  unseenOfWorkflow(workflow: WorkflowDefinition): readonly string[];
  kind(): TrustKind;
  /** `inUse` are the agents of open workspaces, which act with the definitions they joined with. */
  state(inUse: readonly AgentInUse[]): TrustState;
  /**
   * A person saw what the project can do, and allows it. Refuses `conflict` when the project can do something else by
   * now: `seen` is the fingerprint of what was shown; absent, whatever there is.
   */
  grant(consent: {
    readonly seen?: string;
    readonly always: boolean;
    readonly inUse: readonly AgentInUse[];
  }): Result<void, Refusal>;
  /** The project rests from now on. Refuses `conflict` when nobody had trusted it. */
  revoke(): Result<void, Refusal>;
  /**
   * A person made this agent through agent-worker itself, which is consent. The definition is what they gave; what the
   * project adds to it counts only as far as they have seen it for new agents. Called when `Definitions` has the agent.
   */
  acceptAgent(definition: AgentDefinition, lifetime: "kept" | "in-memory"): void;
  /**
   * A person edited definitions through agent-worker itself, which is consent to what the edit added. What was there
   * before and not seen is still to be asked about. Called when `Definitions` has the new ones.
   */
  acceptEdit(before: EditedDefinitions, after: EditedDefinitions): void;
  /** The same for agents of one request. Forgotten when the project is closed. */
  acceptTeam(team: WorkflowDefinition): void;
}

/** What one file defines. */
export interface EditedDefinitions {
  readonly agent?: AgentDefinition | undefined;
  readonly workflow?: WorkflowDefinition | undefined;
}

/** `unknown`: nobody trusted it here. `foreign-store`: its store was not made here. Both rest as a whole. */
export type TrustKind = "trusted" | "unknown" | "foreign-store";

export interface TrustState {
  readonly kind: TrustKind;
  /** The person is not asked again, whatever changes. */
  readonly always: boolean;
  readonly abilities: readonly Ability[];
  /** What it does besides, which needs no consent of its own: schedules, providers of models. */
  readonly facts: readonly string[];
  /** Of everything the project can do. It changes when that changes. */
  readonly fingerprint: string;
}

/** One thing that an agent or workflow can do. */
export interface Ability {
  /** "alice", "workflow review", or "alice@review" where the workflow changes what she can do. */
  readonly who: string;
  readonly text: string;
  readonly seen: boolean;
}
