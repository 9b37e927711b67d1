import { readFrozenDefinition } from "../domain/agent/frozen-definition.ts";
import type { StoreReads } from "../ports/store/store.ts";
import type { WorkspaceRecord } from "../ports/store/workspace.ts";
import type { WorkspacePlace } from "./prompt-input.ts";

/** Who works together in each workspace. A team changes only when its workspace is opened anew, so it is read once. */
export interface Teams {
  read(store: StoreReads, workspace: WorkspaceRecord): Promise<WorkspacePlace["team"]>;
}

const MOST_KEPT = 200;

export function createTeams(): Teams {
  const known = new Map<string, { readonly openedAt: number; readonly team: WorkspacePlace["team"] }>();
  return {
    async read(store, { key, openedAt }) {
      const before = known.get(key);
      if (before?.openedAt === openedAt) return before.team;
      const team = (await store.workspaces.participants(key)).map(({ agent, definition }) => ({
        agent,
        role: readFrozenDefinition(definition).soul?.role ?? null,
      }));
      if (known.size >= MOST_KEPT) known.clear();
      known.set(key, { openedAt, team });
      return team;
    },
  };
}
