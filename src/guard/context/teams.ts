import type { StoreReads } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import type { WorkspacePlace } from "./prompt-input.ts";

/** A cache of the teams of workspaces. A team changes when its workspace is opened again, or a role, a soul or a definition changes. */
export interface Teams {
  read(store: StoreReads, workspace: WorkspaceRecord): Promise<WorkspacePlace["team"]>;
  /** Must be called when a role was given, or a soul or a definition changed: they say who is in a team, and in which role. */
  forget(): void;
}

const MOST_CACHED = 200;

/** `roleOf` must be synchronous: it is called inside a read of the store. */
export function createTeams(roleOf: (member: string, workspace: WorkspaceRecord) => string | null): Teams {
  const teams = new Map<string, { readonly openedAt: number; readonly team: WorkspacePlace["team"] }>();
  return {
    async read(store, workspace) {
      const { key, openedAt } = workspace;
      const cached = teams.get(key);
      if (cached?.openedAt === openedAt) return cached.team;
      const team = (await store.workspaces.participants(key)).map(({ agent, role }) => ({
        agent,
        role: role ?? roleOf(agent, workspace),
      }));
      if (teams.size >= MOST_CACHED) teams.clear();
      teams.set(key, { openedAt, team });
      return team;
    },
    forget: () => teams.clear(),
  };
}
