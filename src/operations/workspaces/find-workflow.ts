import { refuseBroken } from "../../domain/agent/broken-file.ts";
import { checkWorkflowName } from "../../domain/names.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";

/** Returns a workflow by its name. When its file has a mistake, the refusal says where. */
export function findWorkflow(definitions: Definitions, name: string): Result<WorkflowDefinition, Refusal> {
  const checked = checkWorkflowName(name);
  if (!checked.ok) return checked;
  const workflow = definitions.workflow(name);
  if (workflow !== undefined) return ok(workflow);
  const broken = refuseBroken(definitions.problems(), "workflow", name);
  if (broken !== undefined) return broken;
  const names = definitions.workflows().map((each) => each.name);
  return refuse("not_found", `There is no workflow called "${name}".`, {
    hint: hintForUnknown(name, names, "workflows"),
    details: { kind: "workflow", name },
  });
}
