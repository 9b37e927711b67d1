import type { MemberView, WorkspaceView } from "../../contract/workspaces.ts";
import { UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import type { ParticipantRecord, WorkspaceRecord } from "../../ports/store/workspace.ts";

export function toWorkspaceView(workspace: WorkspaceRecord, participants: readonly string[]): WorkspaceView {
  const { key, workflow, tag, state, provider, documents, channel, dir, documentOwner } = workspace;
  const electing = documentOwner === UNDECIDED_OWNER;
  return {
    space: key,
    name: displayWorkspace(workspace),
    workflow,
    tag,
    state,
    provider,
    documents,
    channel,
    dir,
    documentOwner: electing ? null : documentOwner,
    electing,
    participants: [...participants],
    openedAt: new Date(workspace.openedAt).toISOString(),
    closedAt: workspace.closedAt === null ? null : new Date(workspace.closedAt).toISOString(),
  };
}

export function toMemberView(
  participant: ParticipantRecord,
  waiting: number,
): Omit<MemberView, "role" | "rests" | "missing"> {
  return {
    agent: participant.agent,
    source: participant.ref === null ? "workflow" : "project",
    task: participant.task,
    state: participant.mood,
    waiting,
  };
}
