import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import type { Participant } from "../../domain/workspace/participant-identity.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import type { WorkspacePlace } from "./prompt-input.ts";

/**
 * Who works together in each workspace. A team changes only when its workspace is opened anew, so it is read once, and
 * once more when somebody's soul changed.
 */
export interface Teams {
  read(store: StoreReads, workspace: WorkspaceRecord): Promise<WorkspacePlace["team"]>;
  /** A soul changed, and a role may have. */
  forget(): void;
}

const MOST_KEPT = 200;

/** `roleOf` awaits nothing: it is asked inside a read of the store. */
export function createTeams(roleOf: (participant: Participant) => string | null = baselineRole): Teams {
  const known = new Map<string, { readonly openedAt: number; readonly team: WorkspacePlace["team"] }>();
  return {
    async read(store, { key, openedAt }) {
      const before = known.get(key);
      if (before?.openedAt === openedAt) return before.team;
      const team = (await store.workspaces.participants(key)).map((participant) => ({
        agent: participant.agent,
        role: roleOf(participant),
      }));
      if (known.size >= MOST_KEPT) known.clear();
      known.set(key, { openedAt, team });
      return team;
    },
    forget: () => known.clear(),
  };
}

function baselineRole({ definition }: Participant): string | null {
  return readFrozenDefinition(definition).soul?.role ?? null;
}
