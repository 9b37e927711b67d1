import type { EventCursor } from "../domain/event.ts";
import type { StoreReads, StoreWrites } from "../ports/store/store.ts";
import type { Connection, WriteConnection } from "./connection.ts";
import { agentStopReads, agentStopWrites } from "./tables/agent-stop.ts";
import { approvalReads, approvalWrites } from "./tables/approval.ts";
import { ballotReads, ballotWrites } from "./tables/ballot.ts";
import { behaviourPatternReads } from "./tables/derived/behaviour-pattern.ts";
import { callAnswerReads, callAnswerWrites } from "./tables/call-answer.ts";
import { causalReads, causalWrites } from "./tables/causal.ts";
import { nodeReads, nodeWrites } from "./tables/cluster/node.ts";
import { conversationReads, conversationWrites } from "./tables/conversation.ts";
import { deliveryReads, deliveryWrites } from "./tables/delivery.ts";
import { eventAppender, eventReads } from "./tables/event.ts";
import { feedbackReads, feedbackWrites } from "./tables/feedback.ts";
import { grantReads, grantWrites } from "./tables/spaces/grant.ts";
import { guardUseReads, guardUseWrites } from "./tables/guard-use.ts";
import { memoryReads, memoryWrites } from "./tables/memory.ts";
import { messageReads, messageWrites } from "./tables/message.ts";
import { ownProposalStateReads, ownProposalStateWrites } from "./tables/proposals/own-proposal-state.ts";
import { personalFileReads, personalFileWrites } from "./tables/personal/personal-file.ts";
import { readMarkReads, readMarkWrites } from "./tables/spaces/read-mark.ts";
import { resourceReads, resourceWrites } from "./tables/resource.ts";
import { retentionReads, retentionWrites } from "./tables/retention.ts";
import { ruleReads, ruleWrites } from "./tables/proposals/rule.ts";
import { runHistoryReads, runHistoryWrites } from "./tables/run-history.ts";
import { runReads, runWrites } from "./tables/run.ts";
import { scheduleReads, scheduleWrites } from "./tables/schedule.ts";
import { soulProposalReads, soulProposalWrites } from "./tables/soul-proposal.ts";
import { suggestionReads, suggestionWrites } from "./tables/suggestion.ts";
import { summaryReads, summaryWrites } from "./tables/derived/summary.ts";
import { usageReads, usageWrites } from "./tables/usage.ts";
import { workflowInstanceReads, workflowInstanceWrites } from "./tables/workflow-instance.ts";
import { workspaceReads, workspaceWrites } from "./tables/workspace.ts";

/** Everything a transaction can use, before savepoints. */
export type WriteTables = Omit<StoreWrites, "nested" | "time">;
export type ReadTables = Omit<StoreReads, "time">;

/** The tables of one schema, for reading. `schema` is also the part of an event cursor that counts its events. */
export function readTables(db: Connection, schema: keyof EventCursor): ReadTables {
  return {
    messages: messageReads(db),
    deliveries: deliveryReads(db),
    runs: runReads(db),
    history: runHistoryReads(db),
    workspaces: workspaceReads(db),
    instances: workflowInstanceReads(db),
    readMarks: readMarkReads(db),
    ballots: ballotReads(db),
    resources: resourceReads(db),
    schedules: scheduleReads(db),
    causal: causalReads(db),
    conversations: conversationReads(db),
    stops: agentStopReads(db),
    approvals: approvalReads(db),
    callAnswers: callAnswerReads(db),
    suggestions: suggestionReads(db),
    feedback: feedbackReads(db),
    grants: grantReads(db),
    soulProposals: soulProposalReads(db),
    rules: ruleReads(db, schema),
    ownProposalStates: ownProposalStateReads(db),
    summaries: summaryReads(db),
    usage: usageReads(db),
    memories: memoryReads(db),
    guardUses: guardUseReads(db),
    behaviourPatterns: behaviourPatternReads(db),
    events: eventReads(db, schema),
    retention: retentionReads(db),
    nodes: nodeReads(db),
    personalFiles: personalFileReads(db),
  };
}

export function writeTables(db: WriteConnection, schema: keyof EventCursor): WriteTables {
  const reads = readTables(db, schema);
  return {
    messages: { ...reads.messages, ...messageWrites(db) },
    deliveries: { ...reads.deliveries, ...deliveryWrites(db) },
    runs: { ...reads.runs, ...runWrites(db) },
    history: { ...reads.history, ...runHistoryWrites(db) },
    workspaces: { ...reads.workspaces, ...workspaceWrites(db) },
    instances: { ...reads.instances, ...workflowInstanceWrites(db) },
    readMarks: { ...reads.readMarks, ...readMarkWrites(db) },
    ballots: { ...reads.ballots, ...ballotWrites(db) },
    resources: { ...reads.resources, ...resourceWrites(db) },
    schedules: { ...reads.schedules, ...scheduleWrites(db) },
    causal: { ...reads.causal, ...causalWrites(db) },
    conversations: { ...reads.conversations, ...conversationWrites(db) },
    stops: { ...reads.stops, ...agentStopWrites(db) },
    approvals: { ...reads.approvals, ...approvalWrites(db) },
    callAnswers: { ...reads.callAnswers, ...callAnswerWrites(db) },
    suggestions: { ...reads.suggestions, ...suggestionWrites(db) },
    feedback: { ...reads.feedback, ...feedbackWrites(db) },
    grants: { ...reads.grants, ...grantWrites(db) },
    soulProposals: { ...reads.soulProposals, ...soulProposalWrites(db) },
    rules: { ...reads.rules, ...ruleWrites(db) },
    ownProposalStates: { ...reads.ownProposalStates, ...ownProposalStateWrites(db) },
    summaries: { ...reads.summaries, ...summaryWrites(db) },
    usage: { ...reads.usage, ...usageWrites(db) },
    memories: { ...reads.memories, ...memoryWrites(db) },
    guardUses: { ...reads.guardUses, ...guardUseWrites(db) },
    behaviourPatterns: reads.behaviourPatterns,
    events: reads.events,
    retention: { ...reads.retention, ...retentionWrites(db) },
    nodes: { ...reads.nodes, ...nodeWrites(db) },
    personalFiles: { ...reads.personalFiles, ...personalFileWrites(db) },
    appendEvent: eventAppender(db, schema),
  };
}
