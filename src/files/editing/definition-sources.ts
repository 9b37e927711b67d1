import { posix } from "node:path";
import { checkAgentName, checkWorkflowName } from "../../domain/names.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DefinitionSource } from "../../ports/definitions.ts";
import { checkFileName } from "../confined-path.ts";
import { promptFiles, type LoadedProject } from "../project/load-project.ts";
import { AGENTS_FOLDER, PROJECT_FILES, WORKFLOWS_FOLDER } from "../project/find-project.ts";

type Project = Pick<LoadedProject, "agents" | "workflows" | "broken" | "projectFile">;

/** Lists the files that say what a project is, each once: agents, workflows, their prompts, and the project file. */
export function listSources(project: Project): readonly DefinitionSource[] {
  const found = new Map<string, DefinitionSource>();
  const add = (source: DefinitionSource): void => void (found.has(source.file) || found.set(source.file, source));
  const { projectFile } = project;
  if (projectFile !== undefined) add({ file: projectFile, kind: "project", name: null });
  for (const [kind, loaded, broken] of [
    ["agent", project.agents, project.broken.agents],
    ["workflow", project.workflows, project.broken.workflows],
  ] as const) {
    for (const [name, { file }] of loaded) add({ file, kind, name });
    for (const [name, { file }] of broken) add({ file, kind, name });
  }
  for (const loaded of [...project.agents.values(), ...project.workflows.values()]) {
    for (const file of promptFiles(loaded)) add({ file, kind: "prompt", name: loaded.definition.name });
  }
  return [...found.values()];
}

/**
 * Returns what a path of the project is. Refuses every file that is none of `listSources` and that could not become a
 * new agent, workflow or project file: nothing else of a project is read or written through its definitions.
 */
export function findSource(project: Project, path: string): Result<DefinitionSource, Refusal> {
  const checked = checkFileName(path, { hidden: true });
  if (!checked.ok) return checked;
  const file = checked.value;
  const known = listSources(project).find((source) => source.file === file);
  if (known !== undefined) return ok(known);
  const [, folder, name] = /^(\.agents|\.workflows)\/([^/]+)\.ya?ml$/u.exec(file) ?? [];
  if (folder === AGENTS_FOLDER && name !== undefined) return named(checkAgentName(name), { file, kind: "agent", name });
  if (folder === WORKFLOWS_FOLDER && name !== undefined) {
    return named(checkWorkflowName(name), { file, kind: "workflow", name });
  }
  if (project.projectFile === undefined && file === PROJECT_FILES[0]) return ok({ file, kind: "project", name: null });
  return refuse("not_found", `${posix.basename(file)} is no definition of this project.`, {
    hint: "Definitions are .agents/NAME.yaml, .workflows/NAME.yaml, moniro.yaml, and prompts that they name.",
  });
}

function named(checked: Result<string, Refusal>, source: DefinitionSource): Result<DefinitionSource, Refusal> {
  return checked.ok ? ok(source) : checked;
}
