import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { workflowOf } from "../../domain/message/space.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns the workflow of a workspace as its file says now; undefined for direct messages, or when there is none. */
export async function currentWorkflow(
  store: Pick<StoreReads, "workspaces">,
  definitions: Pick<Definitions, "workflow">,
  space: string,
): Promise<WorkflowDefinition | undefined> {
  const name = workflowOf(space);
  if (name === undefined) return undefined;
  return definitions.workflow(name, (await store.workspaces.status(space))?.file);
}
