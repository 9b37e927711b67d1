import { agentsOfWorkflow, type AgentInUse } from "../../domain/trust/project-abilities.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns the agents of open workspaces, as the files say now. A workspace may come from a file outside the project. */
export function agentsInUse(definitions: Definitions) {
  return async ({ workspaces }: Pick<StoreReads, "workspaces">): Promise<readonly AgentInUse[]> => {
    const open = await workspaces.list({ state: "open" });
    return open.flatMap(({ workflow, file }) => {
      const definition = definitions.workflow(workflow, file);
      return definition === undefined ? [] : agentsOfWorkflow(definition, definitions);
    });
  };
}
