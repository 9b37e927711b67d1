import { refuseBroken } from "../../domain/agent/broken-file.ts";
import { workflowOf } from "../../domain/message/space.ts";
import { checkWorkflowName } from "../../domain/names.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns a workflow by its name. When its file, or that of an agent of this name, has a mistake, the refusal says where. */
export function findWorkflow(
  definitions: Definitions,
  name: string,
  file: string | null = null,
): Result<WorkflowDefinition, Refusal> {
  const checked = checkWorkflowName(name);
  if (!checked.ok) return checked;
  const workflow = definitions.workflow(name, file);
  const broken = definitions.broken({ agent: "", workflow: { name, file } });
  if (broken !== undefined && (workflow !== undefined || definitions.agent(name) === undefined))
    return refuseBroken("workflow", name, broken);
  if (workflow !== undefined) return ok(workflow);
  const brokenAgent = definitions.broken({ agent: name, workflow: null });
  if (brokenAgent !== undefined) return refuseBroken("agent", name, brokenAgent);
  const names = definitions.workflows().map((each) => each.name);
  return refuse("not_found", `There is no workflow called "${name}".`, {
    hint: hintForUnknown(name, names, "workflows"),
    details: { kind: "workflow", name },
  });
}

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
