import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Store, StoreReads, StoreWrites } from "../../ports/store/store.ts";
import { approvalReads, approvalWrites } from "./tables/approval.ts";
import { ballotReads, ballotWrites } from "./tables/ballot.ts";
import { causalReads, causalWrites } from "./tables/causal.ts";
import { conversationReads, conversationWrites } from "./tables/conversation.ts";
import { findDamage } from "./damage.ts";
import { deliveryReads, deliveryWrites } from "./tables/delivery.ts";
import { sqliteDocuments, type DocumentRules, type DocumentsOf } from "./tables/document.ts";
import type { Connection, SqliteDriver } from "./driver.ts";
import { eventAppender, eventReads } from "./tables/event.ts";
import { deleteSpace } from "./delete-space.ts";
import { feedbackReads, feedbackWrites } from "./tables/feedback.ts";
import { behaviourPatternReads } from "./tables/behaviour-pattern.ts";
import { messageReads, messageWrites } from "./tables/message.ts";
import { memoryReads, memoryWrites } from "./tables/memory.ts";
import { cacheMembers } from "./cache/member-cache.ts";
import { createMessageCache, type MessageCache } from "./cache/message-cache.ts";
import type { MigrationReport } from "./migrate.ts";
import { openSqlite, type Placement } from "./open.ts";
import { resourceReads, resourceWrites } from "./tables/resource.ts";
import { ruleReads, ruleWrites } from "./tables/rule.ts";
import { runReads, runWrites } from "./tables/run.ts";
import { runHistoryReads, runHistoryWrites } from "./tables/run-history.ts";
import { scheduleReads, scheduleWrites } from "./tables/schedule.ts";
import { snapshot } from "./snapshot.ts";
import { soulProposalReads, soulProposalWrites } from "./tables/soul-proposal.ts";
import { suggestionReads, suggestionWrites } from "./tables/suggestion.ts";
import { usageReads, usageWrites } from "./tables/usage.ts";
import { workflowInstanceReads, workflowInstanceWrites } from "./tables/workflow-instance.ts";
import { createWorkspaceCache, type WorkspaceCache } from "./cache/workspace-cache.ts";
import { workspaceReads, workspaceWrites } from "./tables/workspace.ts";

/** The Store port on SQLite: the aggregates of this folder, bound to one driver. */
export interface SqliteStore extends Store {
  readonly documents: DocumentsOf;
  readonly migration: MigrationReport;
  readonly lostCommits: number;
  /** Deletes all that a closed space has left. */
  forget(space: string): Promise<void>;
}

export function openSqliteStore(placement: Placement, rules: DocumentRules): SqliteStore {
  const { driver, migration, lostCommits } = openSqlite(placement, rules.now());
  const memory: Memory = { messages: createMessageCache(), workspaces: createWorkspaceCache() };
  driver.onCommit(() => {
    memory.workspaces.committed();
    memory.messages.committed();
  });
  driver.onGroupEnd(() => memory.messages.groupEnded());
  const reads = rememberedReads(readsOf(driver.reader), memory);
  const writes = writesOf(driver, memory);
  return {
    migration,
    lostCommits,
    documents: sqliteDocuments(driver, rules),
    read: (work) =>
      driver.read(() => {
        memory.workspaces.refresh();
        memory.messages.refresh();
        return work(reads);
      }),
    transact: (work, options) => driver.transact(() => noticed(memory, () => work(writes)), options),
    async forget(space) {
      await driver.transact(async () => ok(deleteSpace(driver.writer, space)));
      memory.workspaces.forget(space);
      memory.messages.forget(space);
    },
    findDamage: () => driver.exclusive(findDamage),
    backup: (file) => driver.exclusive((db) => snapshot(db, file)),
    [Symbol.asyncDispose]: () => driver.close(),
  };
}

interface Memory {
  readonly messages: MessageCache;
  readonly workspaces: WorkspaceCache;
}

/** What is about to be undone must not be remembered. */
async function noticed<T>(memory: Memory, work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> {
  let accepted = false;
  try {
    const result = await work();
    accepted = result.ok;
    return result;
  } finally {
    if (!accepted) memory.messages.undone();
  }
}

function rememberedReads(reads: StoreReads, memory: Memory): StoreReads {
  return {
    ...reads,
    messages: memory.messages.reads(reads.messages),
    workspaces: memory.workspaces.reads(reads.workspaces),
  };
}

function readsOf(db: Connection): StoreReads {
  return {
    messages: messageReads(db),
    deliveries: deliveryReads(db),
    runs: runReads(db),
    history: runHistoryReads(db),
    workspaces: workspaceReads(db),
    instances: workflowInstanceReads(db),
    ballots: ballotReads(db),
    resources: resourceReads(db),
    schedules: scheduleReads(db),
    causal: causalReads(db),
    conversations: conversationReads(db),
    approvals: approvalReads(db),
    suggestions: suggestionReads(db),
    feedback: feedbackReads(db),
    soulProposals: soulProposalReads(db),
    rules: ruleReads(db),
    usage: usageReads(db),
    memories: memoryReads(db),
    behaviourPatterns: behaviourPatternReads(db),
    events: eventReads(db),
  };
}

function writesOf(driver: SqliteDriver, memory: Memory): StoreWrites {
  const db = driver.writer;
  const reads = readsOf(db);
  const onGroupEnd = (tidyUp: () => void): void => driver.onGroupEnd(tidyUp);
  const workspaces = memory.workspaces.writes({ ...reads.workspaces, ...workspaceWrites(db) });
  return {
    messages: memory.messages.writes({ ...reads.messages, ...messageWrites(db) }),
    deliveries: { ...reads.deliveries, ...deliveryWrites(db) },
    runs: { ...reads.runs, ...runWrites(db) },
    history: { ...reads.history, ...runHistoryWrites(db) },
    workspaces: cacheMembers(workspaces, onGroupEnd),
    instances: { ...reads.instances, ...workflowInstanceWrites(db) },
    ballots: { ...reads.ballots, ...ballotWrites(db) },
    resources: { ...reads.resources, ...resourceWrites(db) },
    schedules: { ...reads.schedules, ...scheduleWrites(db) },
    causal: { ...reads.causal, ...causalWrites(db) },
    conversations: { ...reads.conversations, ...conversationWrites(db) },
    approvals: { ...reads.approvals, ...approvalWrites(db) },
    suggestions: { ...reads.suggestions, ...suggestionWrites(db) },
    feedback: { ...reads.feedback, ...feedbackWrites(db) },
    soulProposals: { ...reads.soulProposals, ...soulProposalWrites(db) },
    rules: { ...reads.rules, ...ruleWrites(db) },
    usage: { ...reads.usage, ...usageWrites(db) },
    memories: { ...reads.memories, ...memoryWrites(db) },
    behaviourPatterns: reads.behaviourPatterns,
    events: reads.events,
    appendEvent: eventAppender(db),
    nested: (work) => driver.nested(() => noticed(memory, work)),
  };
}
