import type { DomainEvent, RecordedEvent } from "../../domain/event.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { ApprovalReads, ApprovalWrites } from "./approval.ts";
import type { BallotReads, BallotWrites } from "./ballot.ts";
import type { CausalReads, CausalWrites } from "./causal.ts";
import type { ConversationReads, ConversationWrites } from "./conversation.ts";
import type { DeliveryReads, DeliveryWrites } from "./delivery.ts";
import type { EventReads } from "./event.ts";
import type { FeedbackReads, FeedbackWrites } from "./feedback.ts";
import type { MemoryReads, MemoryWrites } from "./memory.ts";
import type { BehaviourPatternReads } from "./behaviour-pattern.ts";
import type { MessageReads, MessageWrites } from "./message.ts";
import type { ResourceReads, ResourceWrites } from "./resource.ts";
import type { RuleReads, RuleWrites } from "./rule.ts";
import type { RunReads, RunWrites } from "./run.ts";
import type { RunHistoryReads, RunHistoryWrites } from "./run-history.ts";
import type { ScheduleReads, ScheduleWrites } from "./schedule.ts";
import type { SoulProposalReads, SoulProposalWrites } from "./soul-proposal.ts";
import type { SuggestionReads, SuggestionWrites } from "./suggestion.ts";
import type { UsageReads, UsageWrites } from "./usage.ts";
import type { WorkflowInstanceReads, WorkflowInstanceWrites } from "./workflow-instance.ts";
import type { WorkspaceReads, WorkspaceWrites } from "./workspace.ts";

/** Everything that can be asked, grouped by what it is about. */
export interface StoreReads {
  readonly messages: MessageReads;
  readonly deliveries: DeliveryReads;
  readonly runs: RunReads;
  readonly history: RunHistoryReads;
  readonly workspaces: WorkspaceReads;
  readonly instances: WorkflowInstanceReads;
  readonly ballots: BallotReads;
  readonly resources: ResourceReads;
  readonly schedules: ScheduleReads;
  readonly causal: CausalReads;
  readonly conversations: ConversationReads;
  readonly approvals: ApprovalReads;
  readonly suggestions: SuggestionReads;
  readonly feedback: FeedbackReads;
  readonly soulProposals: SoulProposalReads;
  readonly rules: RuleReads;
  readonly usage: UsageReads;
  readonly memories: MemoryReads;
  readonly behaviourPatterns: BehaviourPatternReads;
  readonly events: EventReads;
}

/** The same, and what can be changed. Usable only inside the `transact` that handed it out. */
export interface StoreWrites extends StoreReads {
  readonly messages: MessageReads & MessageWrites;
  readonly deliveries: DeliveryReads & DeliveryWrites;
  readonly runs: RunReads & RunWrites;
  readonly history: RunHistoryReads & RunHistoryWrites;
  readonly workspaces: WorkspaceReads & WorkspaceWrites;
  readonly instances: WorkflowInstanceReads & WorkflowInstanceWrites;
  readonly ballots: BallotReads & BallotWrites;
  readonly resources: ResourceReads & ResourceWrites;
  readonly schedules: ScheduleReads & ScheduleWrites;
  readonly causal: CausalReads & CausalWrites;
  readonly conversations: ConversationReads & ConversationWrites;
  readonly approvals: ApprovalReads & ApprovalWrites;
  readonly suggestions: SuggestionReads & SuggestionWrites;
  readonly feedback: FeedbackReads & FeedbackWrites;
  readonly soulProposals: SoulProposalReads & SoulProposalWrites;
  readonly rules: RuleReads & RuleWrites;
  readonly usage: UsageReads & UsageWrites;
  readonly memories: MemoryReads & MemoryWrites;
  appendEvent(event: DomainEvent, at: number): Promise<RecordedEvent>;
  /** A refusal of the work undoes what the work wrote and nothing else. */
  nested<T>(work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>>;
}

export interface TransactOptions {
  /** The work must not be run a second time: it acts outside the store. */
  readonly once?: boolean;
  /**
   * Called when the work is accepted, from which moment on later transactions of the store see it. Not a promise: the
   * commit may still fail, and the work may be run again. It must not throw or wait.
   */
  readonly written?: () => void;
}

/**
 * Keeps the facts. The contract every driver passes (`test/support/store/store-conformance.ts`):
 * - Transactions of one store happen one after another; each sees everything committed before it.
 * - `transact` resolves with an accepted result only after the disk has it. Many transactions may share one flush.
 * - A refusal, or anything thrown by the work, undoes the whole of that work and nothing of its neighbours.
 * - The work awaits nothing but the store it was given: while it runs, every other writer waits.
 * - The work may be run again from the start, when a neighbour it shares a flush with has to be undone; with `once` it
 *   never is. Only what the last run did counts.
 * - Reads see one committed state and never wait for a writer.
 * - A disk that is full rejects with the fault `disk_full`, loses nothing, and the store works again when there is
 *   space. A disk that fails to flush rejects with `disk_failed`, and so does every later transaction.
 */
export interface Store extends AsyncDisposable {
  read<T>(work: (store: StoreReads) => Promise<T>): Promise<T>;
  transact<T>(
    work: (store: StoreWrites) => Promise<Result<T, Refusal>>,
    options?: TransactOptions,
  ): Promise<Result<T, Refusal>>;
  /** Every problem the storage engine can find, in words; empty = sound. Reads the whole store. */
  findDamage(): Promise<string[]>;
  /** A consistent copy while work goes on. The file must not exist. */
  backup(file: string): Promise<void>;
}
