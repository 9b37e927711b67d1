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
import type { LoadedProject } from "./load-project.ts";
import type { ProjectContents } from "./project-file.ts";

/**
 * A project whose project file cannot be read. What its other files mean depends on that file, so none of them is used.
 * Of their mistakes only those are listed that each file has by itself; the others would be consequences.
 */
export function unreadProject(
  projectDir: string,
  { settings, file, problems }: ProjectContents,
  stamps: LoadedProject["stamps"],
): LoadedProject {
  const own = [
    ...ownMistakes(projectDir, AGENTS_FOLDER, agentSchema),
    ...ownMistakes(projectDir, WORKFLOWS_FOLDER, workflowSchema),
  ];
  return {
    agents: new Map(),
    workflows: new Map(),
    settings,
    isRead: false,
    projectFile: file,
    listsAgents: false,
    problems: [...problems, ...own],
    broken: { agents: new Map(), workflows: new Map() },
    stamps,
  };
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
