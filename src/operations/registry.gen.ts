// Written by scripts/generate.ts. Do not edit.
import { acceptSuggestion } from "./documents/accept-suggestion.ts";
import { ackDeliveries } from "./inbox/ack-deliveries.ts";
import { addNote } from "./notes/add-note.ts";
import { addRule } from "./rules/add-rule.ts";
import { addTodo } from "./todos/add-todo.ts";
import { answerMemoryQuestion } from "./memory-changes/answer-memory-question.ts";
import { appendDocument } from "./documents/append-document.ts";
import { applyWorktree } from "./worktrees/apply-worktree.ts";
import { approve } from "./approvals/approve.ts";
import { approveSoul } from "./souls/approve-soul.ts";
import { archiveMemory } from "./memory/archive-memory.ts";
import { askAgent } from "./memory/ask-agent.ts";
import { cancelBallot } from "./ballots/cancel-ballot.ts";
import { castVote } from "./ballots/cast-vote.ts";
import { checkDefinitionFile } from "./definitions/check-definition-file.ts";
import { clearConversation } from "./conversations/clear-conversation.ts";
import { clearSchedule } from "./schedules/clear-schedule.ts";
import { closeSpace } from "./spaces/close-space.ts";
import { closeWorkspace } from "./workspaces/close-workspace.ts";
import { createAgent } from "./agents/create-agent.ts";
import { createBallot } from "./ballots/create-ballot.ts";
import { createDocument } from "./documents/create-document.ts";
import { createEphemeralAgent } from "./agents/create-ephemeral-agent.ts";
import { createResource } from "./resources/create-resource.ts";
import { createTeam } from "./setup/create-team.ts";
import { deleteAgent } from "./agents/delete-agent.ts";
import { deny } from "./approvals/deny.ts";
import { discardWorktree } from "./worktrees/discard-worktree.ts";
import { draftAgentFile } from "./definitions/draft-agent-file.ts";
import { draftWorkflowFile } from "./definitions/draft-workflow-file.ts";
import { dropDeadLetter } from "./dead-letters/drop-dead-letter.ts";
import { dropDeadLetters } from "./dead-letters/drop-dead-letters.ts";
import { finishTodo } from "./todos/finish-todo.ts";
import { forgetMemory } from "./memory/forget-memory.ts";
import { getMemory } from "./memory/get-memory.ts";
import { grantTools } from "./grants/grant-tools.ts";
import { grantTrust } from "./trust/grant-trust.ts";
import { listAgents } from "./agents/list-agents.ts";
import { listApprovals } from "./approvals/list-approvals.ts";
import { listBallots } from "./ballots/list-ballots.ts";
import { listCalls } from "./activity/list-calls.ts";
import { listDeadLetters } from "./dead-letters/list-dead-letters.ts";
import { listDecisions } from "./decisions/list-decisions.ts";
import { listDefinitionFiles } from "./definitions/list-definition-files.ts";
import { listDeliveries } from "./inbox/list-deliveries.ts";
import { listDocumentHistory } from "./documents/list-document-history.ts";
import { listDocuments } from "./documents/list-documents.ts";
import { listFeedback } from "./feedback/list-feedback.ts";
import { listFindings } from "./setup/list-findings.ts";
import { listGrants } from "./grants/list-grants.ts";
import { listMembers } from "./workspaces/list-members.ts";
import { listMemory } from "./memory/list-memory.ts";
import { listMemoryChanges } from "./memory-changes/list-memory-changes.ts";
import { listNodes } from "./nodes/list-nodes.ts";
import { listNotes } from "./notes/list-notes.ts";
import { listOwnProposals } from "./own-proposals/list-own-proposals.ts";
import { listQuestions } from "./memory/list-questions.ts";
import { listRules } from "./rules/list-rules.ts";
import { listRuns } from "./runs/list-runs.ts";
import { listScheduleFirings } from "./schedules/list-schedule-firings.ts";
import { listSchedules } from "./schedules/list-schedules.ts";
import { listSoulProposals } from "./souls/list-soul-proposals.ts";
import { listSoulVersions } from "./souls/list-soul-versions.ts";
import { listSpaces } from "./spaces/list-spaces.ts";
import { listStartVariables } from "./workspaces/list-start-variables.ts";
import { listSuggestions } from "./documents/list-suggestions.ts";
import { listTodos } from "./todos/list-todos.ts";
import { listTools } from "./agents/list-tools.ts";
import { listUnread } from "./reading/list-unread.ts";
import { listUsageHistory } from "./activity/list-usage-history.ts";
import { listWorkflows } from "./workspaces/list-workflows.ts";
import { listWorkspaces } from "./workspaces/list-workspaces.ts";
import { listWorktrees } from "./worktrees/list-worktrees.ts";
import { markRead } from "./reading/mark-read.ts";
import { observeSoul } from "./souls/observe-soul.ts";
import { openDemo } from "./setup/open-demo.ts";
import { openSpace } from "./spaces/open-space.ts";
import { openWorkspace } from "./workspaces/open-workspace.ts";
import { pauseSchedule } from "./schedules/pause-schedule.ts";
import { peekChannel } from "./messages/peek-channel.ts";
import { previewAllowRule } from "./approvals/preview-allow-rule.ts";
import { promoteAgent } from "./agents/promote-agent.ts";
import { promoteMemory } from "./memory/promote-memory.ts";
import { pruneStore } from "./storage/prune-store.ts";
import { readChannel } from "./messages/read-channel.ts";
import { readConversation } from "./conversations/read-conversation.ts";
import { readDefinitionFile } from "./definitions/read-definition-file.ts";
import { readDocument } from "./documents/read-document.ts";
import { readInbox } from "./inbox/read-inbox.ts";
import { readNote } from "./notes/read-note.ts";
import { readResource } from "./resources/read-resource.ts";
import { rejectSoul } from "./souls/reject-soul.ts";
import { rejectSuggestion } from "./documents/reject-suggestion.ts";
import { removeKey } from "./setup/remove-key.ts";
import { removeRule } from "./rules/remove-rule.ts";
import { reopenStore } from "./storage/reopen-store.ts";
import { resumeSchedule } from "./schedules/resume-schedule.ts";
import { retryDeadLetter } from "./dead-letters/retry-dead-letter.ts";
import { retryDeadLetters } from "./dead-letters/retry-dead-letters.ts";
import { retryRun } from "./activity/retry-run.ts";
import { revokeTools } from "./grants/revoke-tools.ts";
import { revokeTrust } from "./trust/revoke-trust.ts";
import { rollBackSoul } from "./souls/roll-back-soul.ts";
import { runSchedule } from "./schedules/run-schedule.ts";
import { search } from "./reading/search.ts";
import { searchMemory } from "./memory/search-memory.ts";
import { sendMessage } from "./messages/send-message.ts";
import { setDocumentOwner } from "./documents/set-document-owner.ts";
import { setMemory } from "./memory/set-memory.ts";
import { setRole } from "./workspaces/set-role.ts";
import { setSchedule } from "./schedules/set-schedule.ts";
import { setStatus } from "./workspaces/set-status.ts";
import { showAgent } from "./agents/show-agent.ts";
import { showBallot } from "./ballots/show-ballot.ts";
import { showChanges } from "./worktrees/show-changes.ts";
import { showDiff } from "./worktrees/show-diff.ts";
import { showPrompt } from "./runs/show-prompt.ts";
import { showRun } from "./runs/show-run.ts";
import { showRunUsage } from "./usage/show-run-usage.ts";
import { showSetup } from "./setup/show-setup.ts";
import { showSoul } from "./souls/show-soul.ts";
import { showStoreSize } from "./storage/show-store-size.ts";
import { showTimeline } from "./activity/show-timeline.ts";
import { showTrust } from "./trust/show-trust.ts";
import { showUsage } from "./usage/show-usage.ts";
import { showWorkspace } from "./workspaces/show-workspace.ts";
import { storeKey } from "./setup/store-key.ts";
import { submitFeedback } from "./feedback/submit-feedback.ts";
import { suggestDocument } from "./documents/suggest-document.ts";
import { suggestSoul } from "./souls/suggest-soul.ts";
import { tidyMemory } from "./memory-changes/tidy-memory.ts";
import { undoMemoryChange } from "./memory-changes/undo-memory-change.ts";
import { vacuumStore } from "./storage/vacuum-store.ts";
import { writeDefinitionFile } from "./definitions/write-definition-file.ts";
import { writeDocument } from "./documents/write-document.ts";
import type { Implementations } from "./core/implementations.ts";

export const implementations: Implementations = {
  "peek-channel": peekChannel,
  "read-channel": readChannel,
  "send-message": sendMessage,
  search,
  "list-unread": listUnread,
  "mark-read": markRead,
  "ack-deliveries": ackDeliveries,
  "list-deliveries": listDeliveries,
  "read-inbox": readInbox,
  "close-workspace": closeWorkspace,
  "list-members": listMembers,
  "list-start-variables": listStartVariables,
  "list-workflows": listWorkflows,
  "list-workspaces": listWorkspaces,
  "open-workspace": openWorkspace,
  "set-role": setRole,
  "set-status": setStatus,
  "show-workspace": showWorkspace,
  "close-space": closeSpace,
  "list-spaces": listSpaces,
  "open-space": openSpace,
  "create-agent": createAgent,
  "create-ephemeral-agent": createEphemeralAgent,
  "delete-agent": deleteAgent,
  "list-agents": listAgents,
  "list-tools": listTools,
  "promote-agent": promoteAgent,
  "show-agent": showAgent,
  "check-definition-file": checkDefinitionFile,
  "draft-agent-file": draftAgentFile,
  "draft-workflow-file": draftWorkflowFile,
  "list-definition-files": listDefinitionFiles,
  "read-definition-file": readDefinitionFile,
  "write-definition-file": writeDefinitionFile,
  "archive-memory": archiveMemory,
  "ask-agent": askAgent,
  "forget-memory": forgetMemory,
  "get-memory": getMemory,
  "list-memory": listMemory,
  "list-questions": listQuestions,
  "promote-memory": promoteMemory,
  "search-memory": searchMemory,
  "set-memory": setMemory,
  "answer-memory-question": answerMemoryQuestion,
  "list-memory-changes": listMemoryChanges,
  "tidy-memory": tidyMemory,
  "undo-memory-change": undoMemoryChange,
  "add-note": addNote,
  "list-notes": listNotes,
  "read-note": readNote,
  "add-todo": addTodo,
  "finish-todo": finishTodo,
  "list-todos": listTodos,
  "approve-soul": approveSoul,
  "list-soul-proposals": listSoulProposals,
  "list-soul-versions": listSoulVersions,
  "observe-soul": observeSoul,
  "reject-soul": rejectSoul,
  "roll-back-soul": rollBackSoul,
  "show-soul": showSoul,
  "suggest-soul": suggestSoul,
  "clear-conversation": clearConversation,
  "read-conversation": readConversation,
  "accept-suggestion": acceptSuggestion,
  "append-document": appendDocument,
  "create-document": createDocument,
  "list-document-history": listDocumentHistory,
  "list-documents": listDocuments,
  "list-suggestions": listSuggestions,
  "read-document": readDocument,
  "reject-suggestion": rejectSuggestion,
  "set-document-owner": setDocumentOwner,
  "suggest-document": suggestDocument,
  "write-document": writeDocument,
  "create-resource": createResource,
  "read-resource": readResource,
  "apply-worktree": applyWorktree,
  "discard-worktree": discardWorktree,
  "list-worktrees": listWorktrees,
  "show-changes": showChanges,
  "show-diff": showDiff,
  "cancel-ballot": cancelBallot,
  "cast-vote": castVote,
  "create-ballot": createBallot,
  "list-ballots": listBallots,
  "show-ballot": showBallot,
  "add-rule": addRule,
  "list-rules": listRules,
  "remove-rule": removeRule,
  "grant-tools": grantTools,
  "list-grants": listGrants,
  "revoke-tools": revokeTools,
  "list-own-proposals": listOwnProposals,
  "list-decisions": listDecisions,
  approve,
  deny,
  "list-approvals": listApprovals,
  "preview-allow-rule": previewAllowRule,
  "clear-schedule": clearSchedule,
  "list-schedule-firings": listScheduleFirings,
  "list-schedules": listSchedules,
  "pause-schedule": pauseSchedule,
  "resume-schedule": resumeSchedule,
  "run-schedule": runSchedule,
  "set-schedule": setSchedule,
  "drop-dead-letter": dropDeadLetter,
  "drop-dead-letters": dropDeadLetters,
  "list-dead-letters": listDeadLetters,
  "retry-dead-letter": retryDeadLetter,
  "retry-dead-letters": retryDeadLetters,
  "list-feedback": listFeedback,
  "submit-feedback": submitFeedback,
  "list-runs": listRuns,
  "show-prompt": showPrompt,
  "show-run": showRun,
  "retry-run": retryRun,
  "list-calls": listCalls,
  "show-timeline": showTimeline,
  "show-run-usage": showRunUsage,
  "show-usage": showUsage,
  "list-usage-history": listUsageHistory,
  "prune-store": pruneStore,
  "reopen-store": reopenStore,
  "show-store-size": showStoreSize,
  "vacuum-store": vacuumStore,
  "list-nodes": listNodes,
  "grant-trust": grantTrust,
  "revoke-trust": revokeTrust,
  "show-trust": showTrust,
  "create-team": createTeam,
  "list-findings": listFindings,
  "open-demo": openDemo,
  "remove-key": removeKey,
  "show-setup": showSetup,
  "store-key": storeKey,
};
