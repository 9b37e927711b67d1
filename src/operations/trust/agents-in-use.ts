import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import type { AgentInUse } from "../../domain/trust/project-abilities.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns the agents of open workspaces, with the definitions they joined with. */
export async function agentsInUse({ workspaces }: Pick<StoreReads, "workspaces">): Promise<readonly AgentInUse[]> {
  const inUse: AgentInUse[] = [];
  for (const { key, workflow } of await workspaces.list({ state: "open" })) {
    for (const { definition } of await workspaces.participants(key)) {
      inUse.push({ definition: readFrozenDefinition(definition), workflow });
    }
  }
  return inUse;
}
