import { checkWorkflowName } from "../../domain/names.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";

/** Returns a workflow by its name. When its file has a mistake, the refusal says where. */
export function findWorkflow(
  definitions: Definitions,
  name: string,
  file: string | null = null,
): Result<WorkflowDefinition, Refusal> {
  const checked = checkWorkflowName(name);
  if (!checked.ok) return checked;
  const workflow = definitions.workflow(name, file);
  if (workflow !== undefined) return ok(workflow);
  const names = definitions.workflows().map((each) => each.name);
  const broken = definitions.broken({ agent: "", workflow: { name, file } });
  return refuse("not_found", `There is no workflow called "${name}".`, {
    hint:
      broken === undefined
        ? hintForUnknown(name, names, "workflows")
        : `Its file has a mistake: ${broken.file}:${broken.line}: ${broken.message}`,
    details: { kind: "workflow", name },
  });
}
