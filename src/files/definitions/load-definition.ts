import { posix } from "node:path";
import type { AgentDefinition, SystemPrompt } from "../../domain/agent/definition.ts";
import type { AgentEntry, WorkflowDefinition, WorkspaceProvider } from "../../domain/workflow/definition.ts";
import type { DefinitionProblem, ProjectDefaults } from "../../ports/definitions.ts";
import type { YamlSource } from "../yaml/parse-yaml.ts";
import { byPlace } from "../yaml/problem.ts";
import type { Place, YamlPath } from "../yaml/problem.ts";
import { ownProposalNames } from "../proposals/written-names.ts";
import { createReport } from "../yaml/report.ts";
import type { Report } from "../yaml/report.ts";
import { normaliseAgent } from "./normalise/normalise-agent.ts";
import { normaliseWorkflow } from "./normalise/normalise-workflow.ts";
import { agentSchema } from "./schema/agent-schema.ts";
import type { AgentFile } from "./schema/agent-schema.ts";
import { checkSchema } from "./schema/check-schema.ts";
import { explainMisplacedKey } from "./schema/misplaced-keys.ts";
import { workflowSchema } from "./schema/workflow-schema.ts";
import { locateSystemFile } from "./system-prompt-file.ts";

/** The definition in one file (or of one inline agent), with the places that checks across files point at. */
export interface LoadedAgent {
  readonly definition: AgentDefinition;
  readonly file: string;
  readonly namePlace: Place;
  readonly modelPlace: Place;
  readonly contextPlace: Place;
  readonly costPlace: Place;
}

export interface LoadedWorkflow {
  readonly definition: WorkflowDefinition;
  readonly file: string;
  readonly namePlace: Place;
  /** Where each ref names its agent. */
  readonly refPlaces: Readonly<Record<string, Place>>;
  /** Where each agent begins. */
  readonly agentPlaces: Readonly<Record<string, Place>>;
  /** Where the model of each agent is written, or would be. */
  readonly modelPlaces: Readonly<Record<string, Place>>;
  readonly costPlace: Place;
  readonly toolPlaces: Readonly<Record<string, Place>>;
}

export interface Outcome<T> {
  readonly loaded?: T;
  readonly problems: readonly DefinitionProblem[];
}

export interface LoadOptions {
  readonly projectDir: string;
  readonly defaults: ProjectDefaults;
  readonly provider: WorkspaceProvider;
  readonly documents?: "file" | "sqlite";
  /** Tools of proposals that the program around the daemon gives. */
  readonly ownTools?: readonly string[] | undefined;
  /** The name of the workflow in the project file. */
  readonly listedName?: string | undefined;
}

function ownToolsOf({ projectDir, ownTools = [] }: LoadOptions): () => readonly string[] {
  let names: readonly string[] | undefined;
  return () => (names ??= [...ownTools, ...ownProposalNames(projectDir)]);
}

export function loadAgent(source: YamlSource, options: LoadOptions): Outcome<LoadedAgent> {
  const report = createReport(source, [], ownToolsOf(options));
  const file = checkSchema(agentSchema, source.value, report, explainMisplacedKey);
  const loaded = file === undefined ? undefined : finishAgent(file, source, report, options, stem(source.file));
  return outcome(loaded, report);
}

/** An agent written inside the project file, at `path`. Its schema was checked with that file. */
export function loadInlineAgent(
  file: AgentFile,
  source: YamlSource,
  path: YamlPath,
  options: LoadOptions,
): Outcome<LoadedAgent> {
  const report = createReport(source, path, ownToolsOf(options));
  return outcome(finishAgent(file, source, report, options), report);
}

export function loadWorkflow(source: YamlSource, options: LoadOptions): Outcome<LoadedWorkflow> {
  const report = createReport(source, [], ownToolsOf(options));
  const file = checkSchema(workflowSchema, source.value, report, explainMisplacedKey);
  if (file === undefined) return outcome<LoadedWorkflow>(undefined, report);
  const { listedName, defaults, provider, documents = "file" } = options;
  const names = { fallbackName: stem(source.file), listedName };
  const definition = normaliseWorkflow(file, report, { ...names, defaults, provider, documents });
  if (definition === undefined) return outcome<LoadedWorkflow>(undefined, report);

  const agents: Record<string, AgentEntry> = {};
  const refPlaces: Record<string, Place> = {};
  const agentPlaces: Record<string, Place> = {};
  const modelPlaces: Record<string, Place> = {};
  const toolPlaces: Record<string, Place> = {};
  for (const [name, entry] of Object.entries(definition.agents)) {
    const path = ["agents", name];
    const written = file.agents[name];
    agentPlaces[name] = report.place(path, "key");
    modelPlaces[name] = report.place([...path, "model"]);
    toolPlaces[name] = report.place([...path, "tools"]);
    if (entry.kind === "ref") {
      refPlaces[name] = report.place(typeof written === "string" ? path : [...path, "ref"]);
      agents[name] = entry;
    } else {
      const place = promptPath(path, typeof written === "object" && "system_prompt" in written);
      agents[name] = { ...entry, prompt: locatePrompt(entry.prompt, place, source.file, report, options) };
    }
  }
  if (report.failed()) return outcome<LoadedWorkflow>(undefined, report);
  const loaded = {
    definition: { ...definition, agents },
    file: source.file,
    namePlace: report.place(["name"]),
    refPlaces,
    agentPlaces,
    modelPlaces,
    costPlace: report.place(["budget", "cost_usd"]),
    toolPlaces,
  };
  return outcome(loaded, report);
}

function finishAgent(
  file: AgentFile,
  source: YamlSource,
  report: Report,
  options: LoadOptions,
  fallbackName?: string,
): LoadedAgent | undefined {
  const definition = normaliseAgent(file, report, { fallbackName, defaults: options.defaults });
  if (definition === undefined) return undefined;
  const place = promptPath([], file.system_prompt !== undefined);
  const prompt = locatePrompt(definition.prompt, place, source.file, report, options);
  if (report.failed()) return undefined;
  return {
    definition: { ...definition, prompt },
    file: source.file,
    namePlace: report.place(["name"]),
    modelPlace: report.place(["model"]),
    contextPlace: report.place(["context", "dir"]),
    costPlace: report.place(["budget", "cost_usd"]),
  };
}

function locatePrompt(
  prompt: SystemPrompt,
  path: YamlPath,
  file: string,
  report: Report,
  options: LoadOptions,
): SystemPrompt {
  if ("system" in prompt) return prompt;
  const located = locateSystemFile(options.projectDir, file, prompt.systemFile);
  if (located.ok) return { systemFile: located.value };
  report.refused(path, located.error);
  return prompt;
}

function promptPath(agent: YamlPath, oldSpelling: boolean): YamlPath {
  return oldSpelling ? [...agent, "system_prompt"] : [...agent, "prompt", "system_file"];
}

export function outcome<T>(loaded: T | undefined, report: Report): Outcome<T> {
  const problems = report.problems.toSorted(byPlace);
  return loaded === undefined || report.failed() ? { problems } : { loaded, problems };
}

function stem(file: string): string {
  return posix.basename(file).replace(/\.ya?ml$/iu, "");
}
