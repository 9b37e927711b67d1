import { acceptSuggestion } from "./accept-suggestion.ts";
import { ackDeliveries } from "./ack-deliveries.ts";
import { addNote } from "./add-note.ts";
import { addRule } from "./add-rule.ts";
import { addTodo } from "./add-todo.ts";
import { appendDocument } from "./append-document.ts";
import { approveSoul } from "./approve-soul.ts";
import { approve } from "./approve.ts";
import { archiveMemory } from "./archive-memory.ts";
import { askAgent } from "./ask-agent.ts";
import { cancelBallot } from "./cancel-ballot.ts";
import { castVote } from "./cast-vote.ts";
import { clearConversation } from "./clear-conversation.ts";
import { clearSchedule } from "./clear-schedule.ts";
import { closeWorkspace } from "./close-workspace.ts";
import { createAgent } from "./create-agent.ts";
import { createBallot } from "./create-ballot.ts";
import { createDocument } from "./create-document.ts";
import { createEphemeralAgent } from "./create-ephemeral-agent.ts";
import { createResource } from "./create-resource.ts";
import type { Operation } from "./define.ts";
import { deleteAgent } from "./delete-agent.ts";
import { deny } from "./deny.ts";
import { dropDeadLetter } from "./drop-dead-letter.ts";
import { finishTodo } from "./finish-todo.ts";
import { forgetMemory } from "./forget-memory.ts";
import { getMemory } from "./get-memory.ts";
import { listAgents } from "./list-agents.ts";
import { listApprovals } from "./list-approvals.ts";
import { listBallots } from "./list-ballots.ts";
import { listDeadLetters } from "./list-dead-letters.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listDocuments } from "./list-documents.ts";
import { listFeedback } from "./list-feedback.ts";
import { listMembers } from "./list-members.ts";
import { listMemory } from "./list-memory.ts";
import { listNotes } from "./list-notes.ts";
import { listQuestions } from "./list-questions.ts";
import { listRuns } from "./list-runs.ts";
import { listRules } from "./list-rules.ts";
import { listSchedules } from "./list-schedules.ts";
import { listSoulProposals } from "./list-soul-proposals.ts";
import { listSoulVersions } from "./list-soul-versions.ts";
import { listSuggestions } from "./list-suggestions.ts";
import { listTodos } from "./list-todos.ts";
import { listTools } from "./list-tools.ts";
import { listWorkflows } from "./list-workflows.ts";
import { listWorkspaces } from "./list-workspaces.ts";
import { observeSoul } from "./observe-soul.ts";
import { openWorkspace } from "./open-workspace.ts";
import { peekChannel } from "./peek-channel.ts";
import { promoteAgent } from "./promote-agent.ts";
import { promoteMemory } from "./promote-memory.ts";
import { readChannel } from "./read-channel.ts";
import { readConversation } from "./read-conversation.ts";
import { readDocument } from "./read-document.ts";
import { readInbox } from "./read-inbox.ts";
import { readNote } from "./read-note.ts";
import { readResource } from "./read-resource.ts";
import { rejectSoul } from "./reject-soul.ts";
import { rejectSuggestion } from "./reject-suggestion.ts";
import { removeRule } from "./remove-rule.ts";
import { retryDeadLetter } from "./retry-dead-letter.ts";
import { rollBackSoul } from "./roll-back-soul.ts";
import { searchMemory } from "./search-memory.ts";
import { sendMessage } from "./send-message.ts";
import { setDocumentOwner } from "./set-document-owner.ts";
import { setMemory } from "./set-memory.ts";
import { setSchedule } from "./set-schedule.ts";
import { setStatus } from "./set-status.ts";
import { showAgent } from "./show-agent.ts";
import { showBallot } from "./show-ballot.ts";
import { showRun } from "./show-run.ts";
import { showRunUsage } from "./show-run-usage.ts";
import { showSoul } from "./show-soul.ts";
import { showUsage } from "./show-usage.ts";
import { showWorkspace } from "./show-workspace.ts";
import { submitFeedback } from "./submit-feedback.ts";
import { suggestDocument } from "./suggest-document.ts";
import { suggestSoul } from "./suggest-soul.ts";
import { writeDocument } from "./write-document.ts";
/**
 * Everything this product can be asked to do: its table of contents. The faces are made from it. What the system does
 * by itself (runs, schedules, expiry) is not here: nobody asks for it.
 */
export const operations: readonly Operation[] = [
  sendMessage,
  readChannel,
  peekChannel,
  readInbox,
  ackDeliveries,
  listDeliveries,
  listWorkflows,
  openWorkspace,
  closeWorkspace,
  listWorkspaces,
  showWorkspace,
  listMembers,
  setStatus,
  createAgent,
  createEphemeralAgent,
  promoteAgent,
  listAgents,
  showAgent,
  deleteAgent,
  listTools,
  listMemory,
  getMemory,
  searchMemory,
  setMemory,
  forgetMemory,
  promoteMemory,
  archiveMemory,
  askAgent,
  listQuestions,
  listNotes,
  readNote,
  addNote,
  listTodos,
  addTodo,
  finishTodo,
  showSoul,
  listSoulVersions,
  listSoulProposals,
  suggestSoul,
  observeSoul,
  approveSoul,
  rejectSoul,
  rollBackSoul,
  readConversation,
  clearConversation,
  listDocuments,
  readDocument,
  writeDocument,
  appendDocument,
  createDocument,
  setDocumentOwner,
  suggestDocument,
  listSuggestions,
  acceptSuggestion,
  rejectSuggestion,
  createResource,
  readResource,
  createBallot,
  castVote,
  listBallots,
  showBallot,
  cancelBallot,
  addRule,
  listRules,
  removeRule,
  listDeadLetters,
  retryDeadLetter,
  dropDeadLetter,
  setSchedule,
  listSchedules,
  clearSchedule,
  approve,
  deny,
  listApprovals,
  submitFeedback,
  listFeedback,
  listRuns,
  showRun,
  showUsage,
  showRunUsage,
];
