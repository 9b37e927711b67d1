import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { ParticipantRecord, WorkspaceRecord } from "../../ports/store/workspace.ts";
import type { WorkspacePlace } from "./prompt-input.ts";

/** A cache of the teams of workspaces. A team changes only when its workspace is opened again or a role changes. */
export interface Teams {
  read(store: StoreReads, workspace: WorkspaceRecord): Promise<WorkspacePlace["team"]>;
  /** Must be called when a role was given or a soul changed, because a role is part of a soul. */
  forget(): void;
}

const MOST_CACHED = 200;

/** `roleOf` must be synchronous: it is called inside a read of the store. */
export function createTeams(roleOf: (participant: ParticipantRecord) => string | null = baselineRole): Teams {
  const teams = new Map<string, { readonly openedAt: number; readonly team: WorkspacePlace["team"] }>();
  return {
    async read(store, { key, openedAt }) {
      const cached = teams.get(key);
      if (cached?.openedAt === openedAt) return cached.team;
      const team = (await store.workspaces.participants(key)).map((participant) => ({
        agent: participant.agent,
        role: participant.role ?? roleOf(participant),
      }));
      if (teams.size >= MOST_CACHED) teams.clear();
      teams.set(key, { openedAt, team });
      return team;
    },
    forget: () => teams.clear(),
  };
}

function baselineRole({ definition }: ParticipantRecord): string | null {
  return readFrozenDefinition(definition).soul?.role ?? null;
}
