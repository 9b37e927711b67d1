import { join } from "node:path";
import type { DefinitionProblem, DefinitionUse } from "../../ports/definitions.ts";
import { stampAt } from "../file-stamp.ts";
import { AGENTS_FOLDER, PROJECT_FILES, WORKFLOWS_FOLDER } from "./find-project.ts";
import { promptFiles, type LoadedProject } from "./load-project.ts";
import type { NamedWorkflows } from "./named-workflows.ts";

/** A definition that is in memory only has no file. */
export interface InMemory {
  agent(name: string): boolean;
  /** A workflow of a request; undefined when the name is not one. */
  team(name: string): { readonly agents: Readonly<Record<string, { readonly kind: string }>> } | undefined;
}

/** The files behind a definition: which they are, whether they are as they were read, and what is wrong with them. */
export interface DefinitionFiles {
  /** The agent of the project that the definition is made from; null when it is made from none. */
  agentOf(use: DefinitionUse): string | null;
  filesOf(use: DefinitionUse): readonly string[];
  isCurrent(use: DefinitionUse): boolean;
  broken(use: DefinitionUse): DefinitionProblem | undefined;
  /** Forgets what was looked at in this turn of the event loop. */
  lookAgain(): void;
}

export function createDefinitionFiles(
  projectDir: string,
  project: () => LoadedProject,
  named: NamedWorkflows,
  inMemory: InMemory,
): DefinitionFiles {
  /** What was looked at in this turn of the event loop: many runs may begin in one. */
  const looked = new Map<string, boolean>();
  const isSame = (path: string): boolean => {
    let same = looked.get(path);
    if (same !== undefined) return same;
    if (looked.size === 0) setImmediate(() => looked.clear());
    same = stampAt(join(projectDir, path)) === project().stamps.get(path);
    looked.set(path, same);
    return same;
  };

  const agentOf = ({ agent, workflow }: DefinitionUse): string | null => {
    if (workflow === null) return agent;
    const entry = workflowAt(workflow)?.agents[agent];
    return entry?.kind === "ref" && "ref" in entry ? String(entry.ref) : null;
  };
  const workflowAt = ({ name, file }: NonNullable<DefinitionUse["workflow"]>) =>
    file === null ? (inMemory.team(name) ?? project().workflows.get(name)?.definition) : named.find(file);

  const fileOfAgent = (name: string): string | undefined =>
    project().agents.get(name)?.file ?? project().broken.agents.get(name)?.file;
  const fileOfWorkflow = (name: string): string | undefined =>
    project().workflows.get(name)?.file ?? project().broken.workflows.get(name)?.file;
  const isProjectWorkflow = ({ name, file }: NonNullable<DefinitionUse["workflow"]>): boolean =>
    file === null && inMemory.team(name) === undefined;

  return {
    agentOf,
    filesOf(use) {
      const { workflow } = use;
      const agent = agentOf(use);
      const files = [
        workflow === null ? undefined : (workflow.file ?? fileOfWorkflow(workflow.name)),
        agent === null ? undefined : fileOfAgent(agent),
      ];
      return [...new Set(files.filter((file) => file !== undefined))];
    },
    isCurrent(use) {
      const { workflow } = use;
      if (workflow !== null && workflow.file !== null && !named.isCurrent(workflow.file)) return false;
      const paths: (string | undefined)[] = [];
      if (workflow !== null && isProjectWorkflow(workflow)) {
        const prompts = promptFiles(project().workflows.get(workflow.name));
        paths.push(...PROJECT_FILES, WORKFLOWS_FOLDER, fileOfWorkflow(workflow.name), ...prompts);
      }
      const agent = agentOf(use);
      if (agent !== null && !inMemory.agent(agent)) {
        const prompts = promptFiles(project().agents.get(agent));
        paths.push(...PROJECT_FILES, AGENTS_FOLDER, fileOfAgent(agent), ...prompts);
      }
      return paths.every((path) => path === undefined || isSame(path));
    },
    broken(use) {
      const { workflow } = use;
      const agent = agentOf(use);
      const { broken, agents, workflows } = project();
      if (workflow === null && inMemory.agent(use.agent)) return undefined;
      const projectFile = brokenProjectFile(project());
      if (projectFile !== undefined) return projectFile;
      if (workflow !== null && workflow.file !== null) {
        const mistake = named.problem(workflow.file);
        if (mistake !== undefined) return mistake;
      } else if (workflow !== null && !workflows.has(workflow.name)) {
        const mistake = broken.workflows.get(workflow.name);
        if (mistake !== undefined) return mistake;
      }
      return agent === null || agents.has(agent) ? undefined : broken.agents.get(agent);
    },
    lookAgain: () => looked.clear(),
  };
}

/** Every definition depends on the project file: it says what there is, and holds the defaults. */
export function brokenProjectFile({ problems }: Pick<LoadedProject, "problems">): DefinitionProblem | undefined {
  return problems.find(({ file, severity }) => severity === "error" && PROJECT_FILES.some((name) => name === file));
}
