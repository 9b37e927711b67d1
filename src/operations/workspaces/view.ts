import type { EarlierInstanceView, MemberView, WorkspaceView } from "../../contract/workspaces.ts";
import type { HeldGrant } from "../../domain/grant/grant.ts";
import { UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import type { ParticipantRecord, WorkspaceRecord } from "../../ports/store/workspace.ts";

export function toWorkspaceView(workspace: WorkspaceRecord, participants: readonly string[]): WorkspaceView {
  const { key, workflow, tag, instance, state, provider, documents, channel, dir, documentOwner } = workspace;
  const electing = documentOwner === UNDECIDED_OWNER;
  return {
    space: key,
    name: displayWorkspace(workspace),
    workflow,
    tag,
    instance,
    state,
    provider,
    documents,
    channel,
    dir,
    documentOwner: electing ? null : documentOwner,
    electing,
    participants: [...participants],
    ...timesOf(workspace),
  };
}

export function toEarlierView(workspace: WorkspaceRecord): EarlierInstanceView {
  return { space: workspace.key, instance: workspace.instance, ...timesOf(workspace) };
}

function timesOf({ openedAt, closedAt }: WorkspaceRecord): Pick<WorkspaceView, "openedAt" | "closedAt"> {
  return {
    openedAt: new Date(openedAt).toISOString(),
    closedAt: closedAt === null ? null : new Date(closedAt).toISOString(),
  };
}

export function toMemberView(
  participant: ParticipantRecord,
  waiting: number,
  grants: readonly HeldGrant[],
): Omit<MemberView, "role" | "rests" | "missing"> {
  return {
    agent: participant.agent,
    source: participant.ref === null ? "workflow" : "project",
    ref: participant.ref,
    task: participant.task,
    state: participant.mood,
    waiting,
    grants: grants.map(({ tool, handOn, givenBy }) => ({ tool, handOn, by: givenBy })),
  };
}
