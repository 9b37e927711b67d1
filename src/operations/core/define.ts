import type { CausalLimits } from "../../domain/causal/budget.ts";
import type { DomainEvent } from "../../domain/event.ts";
import type { ProvenanceTracker } from "../../guard/provenance/provenance.ts";
import type { Recall } from "../../guard/memory/recall.ts";
import {
  defineProposal,
  defineQuery,
  type AnyOperation,
  type ExecuteContext,
  type ReadContext,
} from "../../kernel/proposal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { Documents } from "../../ports/documents.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import type { StoreReads, StoreWrites } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";

/** What every operation of this product works with. */
export interface Services {
  readonly definitions: Definitions;
  /** Of the project; a workflow may set its own: see `chain-limits.ts`. */
  readonly causalLimits: CausalLimits;
  /** Takes secrets out of a text before it is kept. */
  redact(text: string): string;
  /** The personal context of a project's agent. Refused for agents that have none: ephemeral ones, inline ones. */
  personal(agent: string): Result<PersonalContext, Refusal>;
  readonly recall: Recall;
  readonly provenance: ProvenanceTracker;
  /** Takes down, when there is time for it, that memories were recalled; by their ids, or keys. */
  recalled(agent: string, entries: readonly string[]): void;
  /**
   * Moves the conversation files of an agent to their archive, with everything that was said so far, and answers with
   * their new names. What is said from now on goes to new files.
   */
  setConversationAside(agent: string): Promise<Result<readonly string[], Refusal>>;
  documents(workspace: WorkspaceRecord): Result<Documents, Refusal>;
}

export interface ProductTypes {
  readonly reads: StoreReads;
  readonly writes: StoreWrites;
  readonly event: DomainEvent;
  readonly services: Services;
}

export type Operation = AnyOperation<ProductTypes>;
export type Execute = ExecuteContext<ProductTypes>;
export type Read = ReadContext<ProductTypes>;

export const proposal = defineProposal<ProductTypes>();
export const query = defineQuery<ProductTypes>();
