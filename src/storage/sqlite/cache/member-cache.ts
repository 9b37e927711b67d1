import type { Member, WorkspaceReads, WorkspaceStatus, WorkspaceWrites } from "../../../ports/store/workspace.ts";

/**
 * Remembers who takes part where, for the writer alone: every message asks, and it hardly ever changes. Only this
 * process writes to the store, so nothing can change behind its back; what a group of transactions changes is asked of
 * the database until that group is committed or undone.
 */
const REMEMBERED_SPACES = 1_000;

interface Remembered {
  status?: WorkspaceStatus | undefined;
  readonly members: Map<string, Member | undefined>;
}

export function cacheMembers(
  workspaces: WorkspaceReads & WorkspaceWrites,
  onGroupEnd: (tidyUp: () => void) => void,
): WorkspaceReads & WorkspaceWrites {
  const remembered = new Map<string, Remembered>();
  const changing = new Set<string>();
  onGroupEnd(() => {
    for (const space of changing) remembered.delete(space);
    changing.clear();
  });

  const of = (space: string): Remembered | undefined => {
    if (changing.has(space)) return undefined;
    let known = remembered.get(space);
    if (known === undefined) {
      if (remembered.size >= REMEMBERED_SPACES) remembered.clear();
      known = { members: new Map() };
      remembered.set(space, known);
    }
    return known;
  };

  return {
    ...workspaces,

    async status(space) {
      const known = of(space);
      if (known?.status !== undefined) return known.status;
      const status = await workspaces.status(space);
      if (known !== undefined) known.status = status;
      return status;
    },

    async member(space, agent) {
      const known = of(space);
      if (known?.members.has(agent) === true) return known.members.get(agent);
      const member = await workspaces.member(space, agent);
      // Names nobody has are asked again: there is no end of them.
      if (member !== undefined) known?.members.set(agent, member);
      return member;
    },

    open(workspace) {
      changing.add(workspace.key);
      return workspaces.open(workspace);
    },

    close(key, at) {
      changing.add(key);
      return workspaces.close(key, at);
    },

    setParticipants(space, participants) {
      changing.add(space);
      return workspaces.setParticipants(space, participants);
    },
  };
}
