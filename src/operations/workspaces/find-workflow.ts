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
  const names = definitions.workflows().map((each) => each.name);
  const broken = definitions.problems().find(({ file, severity }) => severity === "error" && isFileOf(file, name));
  return refuse("not_found", `There is no workflow called "${name}".`, {
    hint:
      broken === undefined
        ? hintForUnknown(name, names, "workflows")
        : `Its file has a mistake: ${broken.file}:${broken.line}: ${broken.message}`,
    details: { kind: "workflow", name },
  });
}

function isFileOf(file: string, workflow: string): boolean {
  const base = file.slice(file.lastIndexOf("/") + 1);
  return base === `${workflow}.yaml` || base === `${workflow}.yml`;
}
