import type { DomainEvent, RecordedEvent } from "../../domain/event.ts";
import type { Fault } from "../../kernel/fault.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { DocumentRules, Documents } from "../documents.ts";
import type { AgentStopReads, AgentStopWrites } from "./agent-stop.ts";
import type { ApprovalReads, ApprovalWrites } from "./approval.ts";
import type { NodeReads, NodeWrites } from "./cluster/node.ts";
import type { BallotReads, BallotWrites } from "./ballot.ts";
import type { BehaviourPatternReads } from "./derived/behaviour-pattern.ts";
import type { CallAnswerReads, CallAnswerWrites } from "./call-answer.ts";
import type { CausalReads, CausalWrites } from "./causal.ts";
import type { ConversationReads, ConversationWrites } from "./conversation.ts";
import type { DeliveryReads, DeliveryWrites } from "./delivery.ts";
import type { EventReads } from "./event.ts";
import type { FeedbackReads, FeedbackWrites } from "./feedback.ts";
import type { GrantReads, GrantWrites } from "./spaces/grant.ts";
import type { GuardUseReads, GuardUseWrites } from "./guard-use.ts";
import type { MemoryReads, MemoryWrites } from "./memory.ts";
import type { MessageReads, MessageWrites } from "./message.ts";
import type { StorePeers } from "./cluster/peers.ts";
import type { OwnProposalStateReads, OwnProposalStateWrites } from "./proposals/own-proposal-state.ts";
import type { PersonalFileReads, PersonalFileWrites } from "./personal-file.ts";
import type { ReadMarkReads, ReadMarkWrites } from "./spaces/read-mark.ts";
import type { ResourceReads, ResourceWrites } from "./resource.ts";
import type { RetentionReads, RetentionWrites } from "./retention.ts";
import type { RuleReads, RuleWrites } from "./proposals/rule.ts";
import type { RunHistoryReads, RunHistoryWrites } from "./run-history.ts";
import type { RunReads, RunWrites } from "./run.ts";
import type { ScheduleReads, ScheduleWrites } from "./schedule.ts";
import type { SoulProposalReads, SoulProposalWrites } from "./soul-proposal.ts";
import type { SuggestionReads, SuggestionWrites } from "./suggestion.ts";
import type { SummaryReads, SummaryWrites } from "./derived/summary.ts";
import type { UsageReads, UsageWrites } from "./usage.ts";
import type { WorkflowInstanceReads, WorkflowInstanceWrites } from "./workflow-instance.ts";
import type { WorkspaceReads, WorkspaceWrites } from "./workspace.ts";

/** All reads, one group for each aggregate. */
export interface StoreReads {
  readonly messages: MessageReads;
  readonly deliveries: DeliveryReads;
  readonly runs: RunReads;
  readonly history: RunHistoryReads;
  readonly workspaces: WorkspaceReads;
  readonly instances: WorkflowInstanceReads;
  readonly readMarks: ReadMarkReads;
  readonly ballots: BallotReads;
  readonly resources: ResourceReads;
  readonly schedules: ScheduleReads;
  readonly causal: CausalReads;
  readonly conversations: ConversationReads;
  readonly stops: AgentStopReads;
  readonly approvals: ApprovalReads;
  readonly callAnswers: CallAnswerReads;
  readonly suggestions: SuggestionReads;
  readonly feedback: FeedbackReads;
  readonly grants: GrantReads;
  readonly soulProposals: SoulProposalReads;
  readonly rules: RuleReads;
  readonly ownProposalStates: OwnProposalStateReads;
  readonly summaries: SummaryReads;
  readonly usage: UsageReads;
  readonly memories: MemoryReads;
  readonly guardUses: GuardUseReads;
  readonly behaviourPatterns: BehaviourPatternReads;
  readonly events: EventReads;
  readonly retention: RetentionReads;
  readonly nodes: NodeReads;
  readonly personalFiles: PersonalFileReads;
  /**
   * The time on which all who share the store agree, in milliseconds. Leases of nodes are compared with it, because the
   * clocks of machines differ.
   */
  time(): Promise<number>;
}

/** The same reads, and all writes. Usable only inside the `transact` that passed it to its work. */
export interface StoreWrites extends StoreReads {
  readonly messages: MessageReads & MessageWrites;
  readonly deliveries: DeliveryReads & DeliveryWrites;
  readonly runs: RunReads & RunWrites;
  readonly history: RunHistoryReads & RunHistoryWrites;
  readonly workspaces: WorkspaceReads & WorkspaceWrites;
  readonly instances: WorkflowInstanceReads & WorkflowInstanceWrites;
  readonly readMarks: ReadMarkReads & ReadMarkWrites;
  readonly ballots: BallotReads & BallotWrites;
  readonly resources: ResourceReads & ResourceWrites;
  readonly schedules: ScheduleReads & ScheduleWrites;
  readonly causal: CausalReads & CausalWrites;
  readonly conversations: ConversationReads & ConversationWrites;
  readonly stops: AgentStopReads & AgentStopWrites;
  readonly approvals: ApprovalReads & ApprovalWrites;
  readonly callAnswers: CallAnswerReads & CallAnswerWrites;
  readonly suggestions: SuggestionReads & SuggestionWrites;
  readonly feedback: FeedbackReads & FeedbackWrites;
  readonly grants: GrantReads & GrantWrites;
  readonly soulProposals: SoulProposalReads & SoulProposalWrites;
  readonly rules: RuleReads & RuleWrites;
  readonly ownProposalStates: OwnProposalStateReads & OwnProposalStateWrites;
  readonly summaries: SummaryReads & SummaryWrites;
  readonly usage: UsageReads & UsageWrites;
  readonly memories: MemoryReads & MemoryWrites;
  readonly guardUses: GuardUseReads & GuardUseWrites;
  readonly retention: RetentionReads & RetentionWrites;
  readonly nodes: NodeReads & NodeWrites;
  readonly personalFiles: PersonalFileReads & PersonalFileWrites;
  appendEvent(event: DomainEvent, at: number): Promise<RecordedEvent>;
  /** A refusal of the work undoes only what the work itself wrote. */
  nested<T>(work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>>;
}

export interface TransactOptions {
  /** The work must not be run a second time, because it acts outside the store. */
  readonly once?: boolean;
  /**
   * Called when the work is accepted; later transactions of the store see it from then on. The commit may still fail,
   * and the work may be run again. It must not throw or wait.
   */
  readonly written?: () => void;
  /** Returns the mailboxes that the accepted work has woken. Other daemons of the store are told with the commit. */
  readonly woken?: () => Iterable<string>;
}

/** Where a store has its data. */
export type StorePlacement =
  | {
      readonly kind: "file";
      readonly file: string;
      /** Trusted folder above the file: no link below it is followed. Default: the folder of the file. */
      readonly root?: string;
    }
  | { readonly kind: "memory" };

/** Opens a store, and brings its schema up to date. Throws a Fault when it cannot be opened. */
export type OpenStore = (placement: StorePlacement, rules: DocumentRules, options?: StoreOptions) => Store;

export interface StoreOptions {
  /** How many connections the server has accepted so far. While they come, transactions wait a moment for theirs. */
  readonly accepted?: () => number;
}

/** What opening did to the schema. `from` equals `to` when there was nothing to do. */
export interface MigrationReport {
  readonly from: number;
  readonly to: number;
  /** The copy made before an upgrade; null for a new database or when there was nothing to do. */
  readonly backup: string | null;
}

/**
 * The data of a project. The contract, which every driver must pass (`testing/store-conformance/`):
 * - Transactions happen one after another; each sees everything committed before it.
 * - `transact` resolves with an accepted result only after it is on disk. Many transactions may share one flush.
 * - A refusal, or an error thrown by the work, undoes all of that work and nothing of other transactions.
 * - The work awaits nothing but the store it was given: while it runs, every other writer waits.
 * - The work may be run again from the start, for instance when another one that shares its flush has to be undone;
 *   with `once` it never is, and so it must not open a workspace. Only what the last run did counts.
 * - Reads see one committed state. The work of a read awaits nothing but the store, and a transaction never awaits a read.
 * - A workspace opened with `provider: memory` is stored in memory, with everything in its space: nothing of it reaches
 *   the disk, and it is gone when the store closes. Callers see no difference; a transaction covers both kinds.
 *   The direct messages of an agent can be placed in memory too (`conversations.place`).
 *   Messages, deliveries and events of spaces in memory have sequence numbers of their own.
 * - A full disk rejects with the fault `disk_full`, loses nothing, and the store works again when there is space. A disk
 *   that fails to flush rejects with `disk_failed`, and so does every later transaction.
 */
export interface Store extends AsyncDisposable {
  read<T>(work: (store: StoreReads) => Promise<T>): Promise<T>;
  transact<T>(
    work: (store: StoreWrites) => Promise<Result<T, Refusal>>,
    options?: TransactOptions,
  ): Promise<Result<T, Refusal>>;
  /** The documents of a workspace with `documents: sqlite`. */
  documents(space: string): Documents;
  /**
   * Called when a closed workspace will not be opened again. A workspace in memory is deleted after 20 others were
   * retired: until then people can read it, and its loops can end. Does nothing for a workspace on disk.
   */
  retire(space: string): Promise<void>;
  /** Several processes may have the store open. False: every process that had it open before has ended. */
  readonly shared: boolean;
  /** Made with the store, and never changed. A copy has the same. */
  readonly id: string;
  readonly migration: MigrationReport;
  /** Commits that were acknowledged and are not in the file any more, because its log was damaged. 0 = none. */
  readonly lostCommits: number;
  /**
   * Returns why nothing can be stored any more: what holds the data was deleted, moved or replaced. Transactions reject
   * with the same fault, `database_gone`, before anything is acknowledged. Undefined when it is there, or there again.
   */
  findAbsence(): Fault | undefined;
  /** Returns every problem the storage engine finds, in words; empty = sound. Reads the whole store. */
  findDamage(): Promise<string[]>;
  /** No transaction starts while the work runs: they wait. Reads go on, unless there are workspaces in memory. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Writes a consistent copy while work goes on. The file must not exist. */
  backup(file: string): Promise<void>;
  /** Undefined where only this process can use the store. */
  readonly peers?: StorePeers;
}
