import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { MockScript } from "../../domain/agent/mock-script.ts";
import { nameKey } from "../../domain/names.ts";
import type { DefinitionProblem, ProjectSettings } from "../../ports/definitions.ts";
import { loadAgent, loadInlineAgent, loadWorkflow } from "../definitions/load-definition.ts";
import type { LoadedAgent, LoadedWorkflow, LoadOptions, Outcome } from "../definitions/load-definition.ts";
import { loadScript } from "../definitions/mock-script.ts";
import type { Mode } from "../definitions/schema/check-schema.ts";
import { errnoOf, fileFault } from "../file-fault.ts";
import { stampAt } from "../file-stamp.ts";
import type { YamlSource } from "../yaml/parse-yaml.ts";
import { problem } from "../yaml/problem.ts";
import { createPrices } from "../prices/price-list.ts";
import { readYamlInside } from "../yaml/read-yaml.ts";
import { checkAcrossFiles } from "./check-across-files.ts";
import { AGENTS_FOLDER, WORKFLOWS_FOLDER } from "./find-project.ts";
import { listMockScripts } from "./list-mock-scripts.ts";
import { readProjectFile } from "./project-file.ts";
import type { ListedFile, ProjectContents } from "./project-file.ts";
import { unknownCosts } from "./unknown-costs.ts";

/** All definitions of a project. A broken file affects nothing else: it is listed in `problems` and is in no map. */
export interface LoadedProject {
  readonly agents: ReadonlyMap<string, LoadedAgent>;
  readonly workflows: ReadonlyMap<string, LoadedWorkflow>;
  readonly settings: ProjectSettings;
  /** The project file, and whether it lists the agents. If it does, other files in `.agents/` are ignored. */
  readonly projectFile: string | undefined;
  readonly listsAgents: boolean;
  readonly problems: readonly DefinitionProblem[];
}

type Loaded = LoadedAgent | LoadedWorkflow | MockScript;

/** The last outcome of each file, by kind and path. `key` is what else an outcome depends on: see `loadProject`. */
export interface FileCache {
  key: string;
  readonly outcomes: Map<string, { readonly stamp: string; readonly outcome: Outcome<Loaded> }>;
}

export function createFileCache(): FileCache {
  return { key: "", outcomes: new Map() };
}

const FILES_PER_TURN = 20;

/**
 * Reads the project. With a cache, a file is not read again if it had no problem and its times, size and inode are
 * unchanged. Rejects only when the project folder itself cannot be read.
 */
export async function loadProject(
  projectDir: string,
  options: { readonly mode?: Mode; readonly cache?: FileCache } = {},
): Promise<LoadedProject> {
  const { mode = "strict", cache = createFileCache() } = options;
  const contents = readProjectFile(projectDir, mode);
  const { defaults, workspace } = contents.settings;
  const key = JSON.stringify([mode, defaults, workspace.provider]);
  if (cache.key !== key) cache.outcomes.clear();
  cache.key = key;

  const load: LoadOptions = { projectDir, mode, defaults, provider: workspace.provider };
  const agentFiles = contents.agentFiles ?? discover(projectDir, AGENTS_FOLDER);
  const workflowFiles = contents.workflowFiles ?? discover(projectDir, WORKFLOWS_FOLDER);
  const agentOutcomes = [
    ...(await loadFiles(agentFiles, "agent", load, cache, loadAgent)),
    ...inlineAgents(contents, load),
  ];
  const workflowOutcomes = await loadFiles(workflowFiles, "workflow", load, cache, loadWorkflow);

  const agents = byName(agentOutcomes, "agent");
  const workflows = byName(workflowOutcomes, "workflow");
  const scripts = listMockScripts(agents.found, workflows.found);
  const scriptOutcomes = await loadFiles(scripts.files, "script", load, cache, loadScript);
  const broken = [...agentOutcomes, ...workflowOutcomes].flatMap((outcome) => outcome.problems);
  const problems = [
    ...contents.problems,
    ...broken,
    ...agents.problems,
    ...workflows.problems,
    ...checkAcrossFiles(agents.found, workflows.found, broken),
    ...unknownCosts(
      agents.found,
      workflows.found,
      createPrices(() => contents.settings.prices),
    ),
    ...scripts.problems,
    ...scriptOutcomes.flatMap((outcome) => outcome.problems),
  ];
  return {
    agents: agents.found,
    workflows: workflows.found,
    settings: contents.settings,
    projectFile: contents.file,
    listsAgents: contents.agentFiles !== undefined,
    problems,
  };
}

/** Lists the definition files directly in a folder: no subfolders (skills, personal contexts), no hidden files. */
function discover(projectDir: string, folder: string): readonly ListedFile[] {
  try {
    return readdirSync(join(projectDir, folder), { withFileTypes: true })
      .filter((entry) => /^[^.].*\.ya?ml$/iu.test(entry.name) && !entry.isDirectory())
      .map((entry) => entry.name)
      .toSorted()
      .map((name) => ({ file: `${folder}/${name}` }));
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return [];
    throw fileFault("read", folder, error);
  }
}

async function loadFiles<T extends Loaded>(
  files: readonly ListedFile[],
  kind: string,
  options: LoadOptions,
  cache: FileCache,
  load: (source: YamlSource, options: LoadOptions) => Outcome<T>,
): Promise<readonly Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  for (const [index, { file, name, listed }] of files.entries()) {
    if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await setImmediate();
    const key = `${kind} ${name ?? ""} ${file}`;
    const stamp = stampAt(join(options.projectDir, file));
    if (stamp === "") {
      if (listed !== undefined)
        outcomes.push({ problems: [problem(listed.in, listed.place, `There is no file "${file}".`)] });
      continue;
    }
    const cached = cache.outcomes.get(key);
    if (cached !== undefined && cached.stamp === stamp) {
      outcomes.push(cached.outcome as Outcome<T>);
      continue;
    }
    const parsed = readYamlInside(options.projectDir, file);
    const outcome = parsed.ok ? load(parsed.source, { ...options, listedName: name }) : { problems: parsed.problems };
    if (outcome.problems.length === 0) cache.outcomes.set(key, { stamp, outcome });
    else cache.outcomes.delete(key);
    outcomes.push(outcome);
  }
  return outcomes;
}

function inlineAgents({ inlineAgents: written, source }: ProjectContents, options: LoadOptions) {
  return source === undefined ? [] : written.map(({ file, path }) => loadInlineAgent(file, source, path, options));
}

/** The first of two definitions with the same name is used. Names that differ only in case are the same. */
function byName<T extends LoadedAgent | LoadedWorkflow>(outcomes: readonly Outcome<T>[], kind: string) {
  const found = new Map<string, T>();
  const keys = new Map<string, T>();
  const problems: DefinitionProblem[] = [];
  for (const { loaded } of outcomes) {
    if (loaded === undefined) continue;
    const { name } = loaded.definition;
    const other = keys.get(nameKey(name));
    if (other === undefined) {
      keys.set(nameKey(name), loaded);
      found.set(name, loaded);
    } else {
      const spelled = other.definition.name === name ? "" : ` as "${other.definition.name}"`;
      const at = `${other.file}:${other.namePlace.line}:${other.namePlace.column}`;
      const message = `The ${kind} "${name}" is already defined${spelled} at ${at}.`;
      problems.push(
        problem(loaded.file, loaded.namePlace, message, { path: ["name"], hint: "Rename one of the two." }),
      );
    }
  }
  return { found, problems };
}
