import type { CausalLimits } from "../../domain/causal/budget.ts";
import type { DomainEvent } from "../../domain/event.ts";
import type { Recall } from "../../guard/memory/recall.ts";
import type { AskGuardModel } from "../../guard/model/ask-guard-model.ts";
import type { ProvenanceTracker } from "../../guard/provenance/provenance.ts";
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
import type { OwnNode } from "../../ports/own-node.ts";
import type { GuardModels } from "../../ports/guard-models.ts";
import type { Machine } from "../../ports/machine.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import type { Prices } from "../../ports/prices.ts";
import type { StoreUpkeep } from "../../ports/store-upkeep.ts";
import type { StoreReads, StoreWrites } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import type { Trust } from "../../ports/trust.ts";
import type { Worktrees } from "../../ports/worktrees.ts";
import type { OwnOperationOf, OwnProposalOf, OwnProposalsOf } from "../own-proposals/own-proposal.ts";

/** What every operation can use besides the store. */
export interface Services {
  readonly definitions: Definitions;
  /** Of the project; a workflow may set its own: see `chainLimits`. */
  readonly causalLimits: CausalLimits;
  /** Returns the text without secrets. Every text is redacted before it is stored. */
  redact(text: string): string;
  /** The same for a text that may be very long: others go on meanwhile. */
  redactInParts(text: string): Promise<string>;
  /**
   * Returns the personal context of a project's agent. Refused for ephemeral and inline agents, which have none. With
   * `onlyIfThere` it is refused, and nothing is opened, while the agent has no folder yet.
   */
  personal(agent: string, options?: { readonly onlyIfThere?: boolean }): Result<PersonalContext, Refusal>;
  readonly recall: Recall;
  readonly provenance: ProvenanceTracker;
  /** Records later, in the background, that memories were recalled, by their ids or keys. */
  recalled(agent: string, entries: readonly string[]): void;
  /**
   * Moves the conversation files of an agent, with every message until now, to the archive. Returns their new names.
   * Later messages go to new files.
   */
  archiveConversation(agent: string): Promise<Result<readonly string[], Refusal>>;
  documents(workspace: Pick<WorkspaceRecord, "key" | "documents" | "dir">): Result<Documents, Refusal>;
  /** The models that the guard asks. Never called inside a transaction. */
  readonly guardModels: GuardModels;
  readonly askGuardModel: AskGuardModel;
  readonly trust: Trust;
  readonly machine: Machine;
  readonly prices: Prices;
  readonly storeUpkeep: StoreUpkeep;
  /** The node that this process is. */
  readonly node: OwnNode;
  readonly worktrees: Worktrees;
  readonly ownProposals: OwnProposalsOf<ProductTypes>;
}

export interface ProductTypes {
  readonly reads: StoreReads;
  readonly writes: StoreWrites;
  readonly event: DomainEvent;
  readonly services: Services;
}

export type OwnProposals = OwnProposalsOf<ProductTypes>;
export type OwnProposal = OwnProposalOf<ProductTypes>;
export type OwnOperation = OwnOperationOf<ProductTypes>;
export type Operation = AnyOperation<ProductTypes>;
export type Execute = ExecuteContext<ProductTypes>;
export type Read = ReadContext<ProductTypes>;

export const proposal = defineProposal<ProductTypes>();
export const query = defineQuery<ProductTypes>();
