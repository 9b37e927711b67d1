import type {
  ParticipantRecord,
  WorkspaceReads,
  WorkspaceRecord,
  WorkspaceStatus,
  WorkspaceWrites,
} from "../../../ports/store/workspace.ts";

/**
 * Caches workspaces and their participants for reads: every run reads them several times, and they hardly ever change.
 * Only this process writes to the store. A write drops its workspace from the cache at the first read after its commit.
 * A read that still sees the state before the commit may add it again, but not for the read after it.
 */
export interface WorkspaceCache {
  reads(workspaces: WorkspaceReads): WorkspaceReads;
  writes(workspaces: WorkspaceReads & WorkspaceWrites): WorkspaceReads & WorkspaceWrites;
  /** Call it at each commit. */
  committed(): void;
  /** Call it at the start of each read. */
  refresh(): void;
}

const MAX_SPACES = 1_000;

interface CachedWorkspace {
  workspace?: WorkspaceRecord;
  readonly participants: Map<string, ParticipantRecord>;
}

export function createWorkspaceCache(): WorkspaceCache {
  const cached = new Map<string, CachedWorkspace>();
  const written = new Set<string>();
  const outdated = new Set<string>();

  const entryOf = (space: string): CachedWorkspace => {
    let entry = cached.get(space);
    if (entry === undefined) {
      if (cached.size >= MAX_SPACES) cached.clear();
      entry = { participants: new Map() };
      cached.set(space, entry);
    }
    return entry;
  };

  return {
    reads(workspaces) {
      const byKey = async (key: string): Promise<WorkspaceRecord | undefined> => {
        const found = cached.get(key)?.workspace;
        if (found !== undefined) return found;
        const workspace = await workspaces.byKey(key);
        if (workspace !== undefined) entryOf(key).workspace = workspace;
        return workspace;
      };
      return {
        ...workspaces,
        byKey,
        async status(key): Promise<WorkspaceStatus | undefined> {
          const workspace = await byKey(key);
          if (workspace === undefined) return undefined;
          const { state, channel, openedAt } = workspace;
          return { state, channel, openedAt };
        },
        async participant(space, agent) {
          const found = cached.get(space)?.participants.get(agent);
          if (found !== undefined) return found;
          const participant = await workspaces.participant(space, agent);
          if (participant !== undefined) entryOf(space).participants.set(agent, participant);
          return participant;
        },
      };
    },

    writes: (workspaces) => ({
      ...workspaces,
      open(workspace) {
        written.add(workspace.key);
        return workspaces.open(workspace);
      },
      close(key, at) {
        written.add(key);
        return workspaces.close(key, at);
      },
      setDocumentOwner(key, owner) {
        written.add(key);
        return workspaces.setDocumentOwner(key, owner);
      },
      setParticipants(space, participants) {
        written.add(space);
        return workspaces.setParticipants(space, participants);
      },
      setStatus(space, agent, status) {
        written.add(space);
        return workspaces.setStatus(space, agent, status);
      },
    }),

    committed() {
      for (const space of written) outdated.add(space);
      written.clear();
    },

    refresh() {
      for (const space of outdated) cached.delete(space);
      outdated.clear();
    },
  };
}
