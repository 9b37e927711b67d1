import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DefinitionProblem, ProjectDefaults } from "../../ports/definitions.ts";
import { loadWorkflow } from "../definitions/load-definition.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";

/**
 * Converts the agents of a request to a workflow. They are parsed as a workflow file (JSON is YAML), so that the same
 * rules and messages apply.
 */
export function loadTeam(
  projectDir: string,
  name: string,
  agents: Readonly<Record<string, unknown>>,
  defaults: ProjectDefaults,
): Result<WorkflowDefinition, Refusal> {
  const parsed = parseYaml("request", JSON.stringify({ name, agents }, undefined, 1));
  if (!parsed.ok) return refuseTeam(parsed.problems);
  const { loaded, problems } = loadWorkflow(parsed.source, {
    projectDir,
    defaults,
    provider: "memory",
  });
  if (loaded === undefined) return refuseTeam(problems);
  const { definition } = loaded;
  const calls = Object.keys(definition.agents).map((agent) => `@${agent}`);
  return ok({ ...definition, kickoff: calls.join(" ") });
}

function refuseTeam(problems: readonly DefinitionProblem[]): Result<never, Refusal> {
  const fields = problems
    .filter(({ severity }) => severity === "error")
    .map(({ path, message, hint }) => ({ field: path.join("."), message, ...(hint === undefined ? {} : { hint }) }));
  const lines = fields.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  return refuse("invalid", `The agents cannot be used.\n${lines.join("\n")}`, {
    hint: fields.find(({ hint }) => hint !== undefined)?.hint ?? "Write them as under agents: of a workflow file.",
    details: { problems: fields },
  });
}
