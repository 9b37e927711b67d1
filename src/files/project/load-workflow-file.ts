import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { ProjectSettings } from "../../ports/definitions.ts";
import { loadWorkflow } from "../definitions/load-definition.ts";
import type { LoadedWorkflow, Outcome } from "../definitions/load-definition.ts";
import { readYaml, readYamlInside } from "../yaml/read-yaml.ts";

/**
 * Loads a workflow from a file that a person named, inside or outside the project. The prompt files it names must be in
 * the project.
 */
export function loadWorkflowFile(projectDir: string, path: string, settings: ProjectSettings): Outcome<LoadedWorkflow> {
  const root = realpathSync(projectDir);
  const inside = relative(root, resolve(root, path)).split(sep).join("/");
  const outside = inside === "" || inside.startsWith("..") || isAbsolute(inside);
  const parsed = outside ? readYaml(resolve(root, path), path) : readYamlInside(projectDir, inside);
  if (!parsed.ok) return { problems: parsed.problems };
  const { defaults, workspace } = settings;
  return loadWorkflow(parsed.source, {
    projectDir,
    defaults,
    provider: workspace.provider,
    documents: workspace.documents,
  });
}
