import type { Member, WorkspaceReads, WorkspaceStatus, WorkspaceWrites } from "../../../ports/store/workspace.ts";

/**
 * Caches the status and the members of workspaces for transactions: every message reads them, and they seldom change.
 * Only this process writes to the store. A space that a group changes is read from the database until that group is
 * committed or undone, so entries are never outdated.
 */
const MAX_SPACES = 1_000;

interface CachedSpace {
  status?: WorkspaceStatus | undefined;
  readonly members: Map<string, Member | undefined>;
}

export function cacheMembers(
  workspaces: WorkspaceReads & WorkspaceWrites,
  onGroupEnd: (listener: () => void) => void,
): WorkspaceReads & WorkspaceWrites {
  const cached = new Map<string, CachedSpace>();
  const changing = new Set<string>();
  onGroupEnd(() => {
    for (const space of changing) cached.delete(space);
    changing.clear();
  });

  const entryOf = (space: string): CachedSpace | undefined => {
    if (changing.has(space)) return undefined;
    let entry = cached.get(space);
    if (entry === undefined) {
      if (cached.size >= MAX_SPACES) cached.clear();
      entry = { members: new Map() };
      cached.set(space, entry);
    }
    return entry;
  };

  return {
    ...workspaces,

    async status(space) {
      const entry = entryOf(space);
      if (entry?.status !== undefined) return entry.status;
      const status = await workspaces.status(space);
      if (entry !== undefined) entry.status = status;
      return status;
    },

    async member(space, agent) {
      const entry = entryOf(space);
      if (entry?.members.has(agent) === true) return entry.members.get(agent);
      const member = await workspaces.member(space, agent);
      // Unknown names are not cached: their number is unlimited.
      if (member !== undefined) entry?.members.set(agent, member);
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

    setAside(workspace) {
      changing.add(workspace.key);
      return workspaces.setAside(workspace);
    },

    setParticipants(space, participants) {
      changing.add(space);
      return workspaces.setParticipants(space, participants);
    },
  };
}
