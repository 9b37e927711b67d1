import { join, posix } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { SystemPrompt } from "../../domain/agent/definition.ts";
import type { MockScript } from "../../domain/agent/mock-script.ts";
import { nameKey } from "../../domain/names.ts";
import type { AgentEntry } from "../../domain/workflow/definition.ts";
import type { DefinitionProblem, ProjectSettings } from "../../ports/definitions.ts";
import { loadAgent, loadInlineAgent, loadWorkflow } from "../definitions/load-definition.ts";
import type { LoadedAgent, LoadedWorkflow, LoadOptions, Outcome } from "../definitions/load-definition.ts";
import { loadScript } from "../definitions/mock-script.ts";
import { lastingStampAt } from "../file-stamp.ts";
import { readTextInside } from "../read-text.ts";
import type { YamlSource } from "../yaml/parse-yaml.ts";
import { problem } from "../yaml/problem.ts";
import { createPrices } from "../prices/price-list.ts";
import { MAX_DEFINITION_BYTES, readYamlInside } from "../yaml/read-yaml.ts";
import { checkAcrossFiles } from "./check-across-files.ts";
import { AGENTS_FOLDER, PROJECT_FILES, WORKFLOWS_FOLDER } from "./find-project.ts";
import { discoverFiles } from "./discover-files.ts";
import { listMockScripts } from "./list-mock-scripts.ts";
import { listOwnMistakes } from "./own-mistakes.ts";
import { readProjectFile } from "./project-file.ts";
import type { ListedFile, ProjectContents } from "./project-file.ts";
import { unknownCosts } from "./unknown-costs.ts";

/** All definitions of a project. A broken file affects nothing else: it is listed in `problems` and is in no map. */
export interface LoadedProject {
  readonly agents: ReadonlyMap<string, LoadedAgent>;
  readonly workflows: ReadonlyMap<string, LoadedWorkflow>;
  readonly settings: ProjectSettings;
  /** False when the project file is there and cannot be read. Then nothing is known of the rest of the project. */
  readonly isRead: boolean;
  /** The project file, and whether it lists the agents. If it does, other files in `.agents/` are ignored. */
  readonly projectFile: string | undefined;
  readonly listsAgents: boolean;
  readonly problems: readonly DefinitionProblem[];
  /** The first mistake of each file that could not be loaded, by the name of its agent or workflow. */
  readonly broken: { readonly agents: Broken; readonly workflows: Broken };
  /** The stamp of everything that was looked at, by its path in the project; undefined for what was just changing. */
  readonly stamps: ReadonlyMap<string, string | undefined>;
}

export type Broken = ReadonlyMap<string, DefinitionProblem>;

type Loaded = LoadedAgent | LoadedWorkflow | MockScript;

/** The last outcome of each file, by kind and path. `key` is what else an outcome depends on: see `loadProject`. */
export interface FileCache {
  key: string;
  readonly outcomes: Map<string, { readonly stamp: string; readonly outcome: Outcome<Loaded> }>;
  /** The name that each file last gave to its agent or workflow. */
  readonly names: Map<string, string>;
  /** The project file, when it had no problem. */
  settings?: { readonly stamp: string; readonly contents: ProjectContents };
}

export function createFileCache(): FileCache {
  return { key: "", outcomes: new Map(), names: new Map() };
}

interface LoadProjectOptions {
  readonly cache?: FileCache;
  /** Tools of proposals that the program around the daemon gives. */
  readonly ownTools?: readonly string[] | undefined;
}

const FILES_PER_TURN = 20;

/** Each start of a workflow looks at the project file; most find it as it was. */
function readSettings(
  projectDir: string,
  cache: FileCache,
  stamps: ReadonlyMap<string, string | undefined>,
): ProjectContents {
  const own = PROJECT_FILES.map((file) => stamps.get(file));
  const stamp = own.includes(undefined) ? undefined : own.join(" ");
  if (stamp !== undefined && cache.settings?.stamp === stamp) return cache.settings.contents;
  const contents = readProjectFile(projectDir);
  delete cache.settings;
  if (stamp !== undefined && contents.isRead && contents.problems.length === 0) cache.settings = { stamp, contents };
  return contents;
}

/**
 * Reads the project. With a cache, a file is not read again if it had no problem and its times, size and inode are
 * unchanged. Rejects only when the project folder itself cannot be read.
 */
export async function loadProject(projectDir: string, options: LoadProjectOptions = {}): Promise<LoadedProject> {
  const { cache = createFileCache() } = options;
  const stamps = new Map<string, string | undefined>();
  for (const path of [...PROJECT_FILES, AGENTS_FOLDER, WORKFLOWS_FOLDER]) {
    stamps.set(path, lastingStampAt(join(projectDir, path)));
  }
  const contents = readSettings(projectDir, cache, stamps);
  if (!contents.isRead) return unreadProject(contents, listOwnMistakes(projectDir), stamps);
  const { defaults, workspace } = contents.settings;
  const key = JSON.stringify([defaults, workspace.provider, workspace.documents]);
  if (cache.key !== key) cache.outcomes.clear();
  cache.key = key;

  const load: LoadOptions = {
    projectDir,
    defaults,
    provider: workspace.provider,
    documents: workspace.documents,
    ownTools: options.ownTools,
  };
  const agentFiles = contents.agentFiles ?? discoverFiles(projectDir, AGENTS_FOLDER);
  const workflowFiles = contents.workflowFiles ?? discoverFiles(projectDir, WORKFLOWS_FOLDER);
  const broken = { agents: new Map<string, DefinitionProblem>(), workflows: new Map<string, DefinitionProblem>() };
  const files = { cache, stamps };
  const agentOutcomes = [
    ...(await loadFiles(agentFiles, "agent", load, { ...files, broken: broken.agents }, loadAgent)),
    ...inlineAgents(contents, load),
  ];
  const workflowOutcomes = await loadFiles(
    workflowFiles,
    "workflow",
    load,
    { ...files, broken: broken.workflows },
    loadWorkflow,
  );

  const agents = byName(agentOutcomes, "agent");
  const workflows = byName(workflowOutcomes, "workflow");
  const scripts = listMockScripts(agents.found, workflows.found);
  const scriptOutcomes = await loadFiles(scripts.files, "script", load, { ...files, broken: new Map() }, loadScript);
  const inFiles = [...agentOutcomes, ...workflowOutcomes].flatMap((outcome) => outcome.problems);
  const problems = [
    ...contents.problems,
    ...inFiles,
    ...agents.problems,
    ...workflows.problems,
    ...checkAcrossFiles(agents.found, workflows.found, inFiles),
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
    isRead: true,
    projectFile: contents.file,
    listsAgents: contents.agentFiles !== undefined,
    problems,
    broken,
    stamps,
  };
}

/** What the other files mean depends on the project file, so none of them is used. */
function unreadProject(
  { settings, file, problems }: ProjectContents,
  others: readonly DefinitionProblem[],
  stamps: LoadedProject["stamps"],
): LoadedProject {
  return {
    agents: new Map(),
    workflows: new Map(),
    settings,
    isRead: false,
    projectFile: file,
    listsAgents: false,
    problems: [...problems, ...others],
    broken: { agents: new Map(), workflows: new Map() },
    stamps,
  };
}

async function loadFiles<T extends Loaded>(
  files: readonly ListedFile[],
  kind: string,
  options: LoadOptions,
  { cache, stamps, broken }: FileRecords,
  load: (source: YamlSource, options: LoadOptions) => Outcome<T>,
): Promise<readonly Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  const stampOf = (file: string): string | undefined => {
    const stamp = lastingStampAt(join(options.projectDir, file));
    stamps.set(file, stamp);
    return stamp;
  };
  for (const [index, { file, name, listed }] of files.entries()) {
    if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await setImmediate();
    const key = `${kind} ${name ?? ""} ${file}`;
    const stamp = stampOf(file);
    if (stamp === "") {
      if (listed !== undefined)
        outcomes.push({ problems: [problem(listed.in, listed.place, `There is no file "${file}".`)] });
      continue;
    }
    const cached = cache.outcomes.get(key);
    const isThere = (prompt: string): boolean => stampOf(prompt) !== "";
    if (cached !== undefined && cached.stamp === stamp && promptFiles(cached.outcome.loaded).every(isThere)) {
      outcomes.push(cached.outcome as Outcome<T>);
      continue;
    }
    const parsed = readYamlInside(options.projectDir, file);
    const outcome = parsed.ok ? load(parsed.source, { ...options, listedName: name }) : { problems: parsed.problems };
    if (outcome.problems.length === 0 && stamp !== undefined) cache.outcomes.set(key, { stamp, outcome });
    else cache.outcomes.delete(key);
    outcomes.push(outcome);
    const { loaded } = outcome;
    promptFiles(loaded).forEach(stampOf);
    if (loaded !== undefined && "definition" in loaded) cache.names.set(key, loaded.definition.name);
    const mistake = outcome.problems.find(({ severity }) => severity === "error");
    if (loaded === undefined && mistake !== undefined) {
      broken.set(name ?? cache.names.get(key) ?? nameInBroken(options.projectDir, file), mistake);
    }
  }
  return outcomes;
}

const PROMPT_FILES = new WeakMap<Loaded, readonly string[]>();

/** Returns the prompt files that a definition names. */
export function promptFiles(loaded: Loaded | undefined): readonly string[] {
  if (loaded === undefined) return [];
  const known = PROMPT_FILES.get(loaded) ?? findPromptFiles(loaded);
  PROMPT_FILES.set(loaded, known);
  return known;
}

function findPromptFiles(loaded: Loaded): readonly string[] {
  if (!("definition" in loaded)) return [];
  const { definition } = loaded;
  const prompts = "prompt" in definition ? [definition.prompt] : Object.values(definition.agents).map(promptOf);
  return prompts.flatMap((prompt) => (prompt !== undefined && "systemFile" in prompt ? [prompt.systemFile] : []));
}

function promptOf(entry: AgentEntry): SystemPrompt | undefined {
  return entry.kind === "inline" ? entry.prompt : undefined;
}

/** What loading files fills in. */
interface FileRecords {
  readonly cache: FileCache;
  readonly stamps: Map<string, string | undefined>;
  readonly broken: Map<string, DefinitionProblem>;
}

/** Returns the name in a file that cannot be parsed, as far as it can be seen; else the name of the file. */
function nameInBroken(projectDir: string, file: string): string {
  const text = readTextInside(projectDir, file, MAX_DEFINITION_BYTES);
  const written = text.ok ? /^name:[ \t]*["']?([\w-]+)/mu.exec(text.value)?.[1] : undefined;
  return written ?? posix.basename(file).replace(/\.ya?ml$/iu, "");
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
