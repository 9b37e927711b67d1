import type {
  ParticipantRecord,
  WorkspaceReads,
  WorkspaceRecord,
  WorkspaceStatus,
  WorkspaceWrites,
} from "../../../ports/store/workspace.ts";

/**
 * Remembers workspaces and their participants for the reader: every run asks several times, and they hardly ever change.
 * Only this process writes to the store. A write names the workspace it changes; from its commit on, the next read
 * forgets that one. A read that is still on the state before the commit may remember it once more, but not for the read
 * after it.
 */
export interface WorkspaceCache {
  reads(workspaces: WorkspaceReads): WorkspaceReads;
  writes(workspaces: WorkspaceReads & WorkspaceWrites): WorkspaceReads & WorkspaceWrites;
  /** To be called in the moment of each commit. */
  committed(): void;
  /** To be called at the start of each read. */
  refresh(): void;
  /** To be called when a space was deleted. */
  forget(space: string): void;
}

const REMEMBERED_SPACES = 1_000;

interface Remembered {
  workspace?: WorkspaceRecord;
  readonly participants: Map<string, ParticipantRecord>;
}

export function createWorkspaceCache(): WorkspaceCache {
  const remembered = new Map<string, Remembered>();
  const written = new Set<string>();
  const outdated = new Set<string>();

  const of = (space: string): Remembered => {
    let known = remembered.get(space);
    if (known === undefined) {
      if (remembered.size >= REMEMBERED_SPACES) remembered.clear();
      known = { participants: new Map() };
      remembered.set(space, known);
    }
    return known;
  };

  return {
    reads(workspaces) {
      const byKey = async (key: string): Promise<WorkspaceRecord | undefined> => {
        const known = remembered.get(key)?.workspace;
        if (known !== undefined) return known;
        const workspace = await workspaces.byKey(key);
        if (workspace !== undefined) of(key).workspace = workspace;
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
          const known = remembered.get(space)?.participants.get(agent);
          if (known !== undefined) return known;
          const participant = await workspaces.participant(space, agent);
          if (participant !== undefined) of(space).participants.set(agent, participant);
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
      for (const space of outdated) remembered.delete(space);
      outdated.clear();
    },

    forget: (space) => void remembered.delete(space),
  };
}
