import type { DefinitionProblem } from "../../ports/definitions.ts";
import { agentSchema } from "../definitions/schema/agent-schema.ts";
import { checkSchema } from "../definitions/schema/check-schema.ts";
import { explainMisplacedKey } from "../definitions/schema/misplaced-keys.ts";
import { workflowSchema } from "../definitions/schema/workflow-schema.ts";
import { byPlace } from "../yaml/problem.ts";
import { readYamlInside } from "../yaml/read-yaml.ts";
import { createReport } from "../yaml/report.ts";
import { discoverFiles } from "./discover-files.ts";
import { AGENTS_FOLDER, WORKFLOWS_FOLDER } from "./find-project.ts";

/**
 * Returns the mistakes that each definition file has by itself, whatever the project file says. For a project whose
 * project file cannot be read: other mistakes would be consequences.
 */
export function listOwnMistakes(projectDir: string): readonly DefinitionProblem[] {
  return [
    ...ownMistakes(projectDir, AGENTS_FOLDER, agentSchema),
    ...ownMistakes(projectDir, WORKFLOWS_FOLDER, workflowSchema),
  ];
}

function ownMistakes(
  projectDir: string,
  folder: string,
  schema: Parameters<typeof checkSchema>[0],
): readonly DefinitionProblem[] {
  return discoverFiles(projectDir, folder).flatMap(({ file }) => {
    const parsed = readYamlInside(projectDir, file);
    if (!parsed.ok) return parsed.problems;
    const report = createReport(parsed.source);
    checkSchema(schema, parsed.source.value, report, explainMisplacedKey);
    return report.problems.toSorted(byPlace);
  });
}
