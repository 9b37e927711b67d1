import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import { loadAgent, loadWorkflow } from "../definitions/load-definition.ts";
import { checkSchema } from "../definitions/schema/check-schema.ts";
import { explainMisplacedKey } from "../definitions/schema/misplaced-keys.ts";
import { projectSchema } from "../definitions/schema/project-schema.ts";
import type { YamlSource } from "../yaml/parse-yaml.ts";
import { problem, START_OF_FILE } from "../yaml/problem.ts";
import { readYaml, readYamlInside } from "../yaml/read-yaml.ts";
import { createReport } from "../yaml/report.ts";
import { checkWorkflowAgents } from "./check-across-files.ts";
import type { LoadedProject } from "./load-project.ts";

export interface CheckedFile {
  readonly agents: readonly string[];
  readonly workflows: readonly string[];
  readonly problems: readonly DefinitionProblem[];
}

/**
 * Checks one definition file, inside or outside the project. A file that the project uses has the problems that the
 * project found in it; another one is read as what its keys say it is, with the agents and defaults of the project.
 */
export function checkFile(projectDir: string, path: string, project: LoadedProject): CheckedFile {
  const root = realpathSync(projectDir);
  const full = realpathSync(resolve(root, path));
  const inside = relative(root, full).split(sep).join("/");
  const isOutside = inside.startsWith("..") || isAbsolute(inside);
  const file = isOutside ? full : inside;

  const own = project.problems.filter((each) => each.file === file);
  const agents = [...project.agents].filter(([, loaded]) => loaded.file === file).map(([name]) => name);
  const workflows = [...project.workflows].filter(([, loaded]) => loaded.file === file).map(([name]) => name);
  if (own.length + agents.length + workflows.length > 0 || file === project.projectFile) {
    return { agents, workflows, problems: own };
  }
  const parsed = isOutside ? readYaml(full) : readYamlInside(root, inside);
  return parsed.ok ? checkSource(root, parsed.source, project) : { agents, workflows, problems: parsed.problems };
}

function checkSource(projectDir: string, source: YamlSource, project: LoadedProject): CheckedFile {
  const { defaults, workspace } = project.settings;
  const options = { projectDir, defaults, provider: workspace.provider, documents: workspace.documents } as const;
  switch (kindOf(source.value)) {
    case "agent": {
      const { loaded, problems } = loadAgent(source, options);
      return { agents: loaded === undefined ? [] : [loaded.definition.name], workflows: [], problems };
    }
    case "workflow": {
      const { loaded, problems } = loadWorkflow(source, options);
      if (loaded === undefined) return { agents: [], workflows: [], problems };
      const across = checkWorkflowAgents(loaded, project.agents, project.problems);
      return { agents: [], workflows: [loaded.definition.name], problems: [...problems, ...across] };
    }
    case "project": {
      const report = createReport(source);
      checkSchema(projectSchema, source.value, report, explainMisplacedKey);
      return { agents: [], workflows: [], problems: report.problems };
    }
    case undefined:
      return { agents: [], workflows: [], problems: [unknownKind(source.file)] };
  }
}

const PROJECT_KEYS = ["workflows", "defaults", "store"];
const WORKFLOW_KEYS = ["agents", "kickoff", "setup", "params"];
const AGENT_KEYS = ["prompt", "system_prompt", "model", "backend", "soul"];

/** Which kind of file it is, by the keys that only this kind has. */
function kindOf(value: unknown): "agent" | "workflow" | "project" | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const has = (keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(value, key));
  if (has(PROJECT_KEYS) || ("agents" in value && Array.isArray(value.agents))) return "project";
  if (has(WORKFLOW_KEYS)) return "workflow";
  return has(AGENT_KEYS) ? "agent" : undefined;
}

function unknownKind(file: string): DefinitionProblem {
  return problem(file, START_OF_FILE, "This is neither an agent, nor a workflow, nor a project file.", {
    hint: "An agent has prompt:, a workflow has agents:. See: agent-worker schema agent",
  });
}
