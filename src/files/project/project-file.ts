import { lstatSync } from "node:fs";
import { join } from "node:path";
import { whyOnlyPeopleWrite } from "../../domain/agent/obeyed-files.ts";
import type { Price } from "../../domain/budget/price.ts";
import { checkWorkflowName, nameKey } from "../../domain/names.ts";
import type { DefinitionProblem, ProjectSettings } from "../../ports/definitions.ts";
import { checkToolNames } from "../definitions/normalise/check-tool-names.ts";
import { defined } from "../definitions/normalise/defined.ts";
import { normaliseGuard } from "../definitions/normalise/normalise-guard.ts";
import {
  checkModelName,
  duration,
  normaliseMemory,
  normaliseModel,
} from "../definitions/normalise/normalise-runtime.ts";
import type { AgentFile } from "../definitions/schema/agent-schema.ts";
import { checkSchema } from "../definitions/schema/check-schema.ts";
import { explainMisplacedKey } from "../definitions/schema/misplaced-keys.ts";
import { projectSchema } from "../definitions/schema/project-schema.ts";
import type { ProjectFile } from "../definitions/schema/project-schema.ts";
import { projectPath } from "../project-path.ts";
import type { YamlSource } from "../yaml/parse-yaml.ts";
import { byPlace, problem, START_OF_FILE } from "../yaml/problem.ts";
import type { Place, YamlPath } from "../yaml/problem.ts";
import { readYamlInside } from "../yaml/read-yaml.ts";
import { createReport } from "../yaml/report.ts";
import type { Report } from "../yaml/report.ts";
import { PROJECT_FILES } from "./find-project.ts";

/** A definition file, and where the project file lists it, if it does. */
export interface ListedFile {
  readonly file: string;
  readonly listed?: { readonly in: string; readonly place: Place };
  /** The name a workflow is listed under. */
  readonly name?: string;
}

/** The contents of the project file. If it is missing or broken, the settings are the built-in ones. */
export interface ProjectContents {
  readonly file: string | undefined;
  readonly settings: ProjectSettings;
  /** False for a file that is there and cannot be read. */
  readonly isRead: boolean;
  /** Undefined = not listed: every file of the folder is loaded. */
  readonly agentFiles: readonly ListedFile[] | undefined;
  readonly inlineAgents: readonly { readonly file: AgentFile; readonly path: YamlPath }[];
  readonly workflowFiles: readonly ListedFile[] | undefined;
  readonly source: YamlSource | undefined;
  readonly problems: readonly DefinitionProblem[];
}

const DAY_MS = 86_400_000;

const BUILT_IN: ProjectSettings = {
  workspace: { provider: "sqlite", base: ".workspace", documents: "file" },
  defaults: {},
  store: { provider: "sqlite", path: ".workspace/agent-worker.db" },
  context: { provider: "file" },
  guard: { soul: { observe: true, apply: "ask" } },
  prices: {},
  retention: { transcriptsMs: 30 * DAY_MS, eventsMs: 14 * DAY_MS, workspacesMs: 90 * DAY_MS, deadLettersMs: null },
};

const NOTHING: ProjectContents = {
  file: undefined,
  settings: BUILT_IN,
  isRead: true,
  agentFiles: undefined,
  inlineAgents: [],
  workflowFiles: undefined,
  source: undefined,
  problems: [],
};

export function readProjectFile(projectDir: string): ProjectContents {
  const exists = (name: string): boolean => lstatSync(join(projectDir, name), { throwIfNoEntry: false }) !== undefined;
  const [file, ...others] = PROJECT_FILES.filter(exists);
  if (file === undefined) return NOTHING;
  const twice = others.map((other) =>
    problem(other, START_OF_FILE, `The project has both ${file} and ${other}.`, { hint: "Keep one of the two." }),
  );
  const parsed = readYamlInside(projectDir, file);
  if (!parsed.ok) return { ...NOTHING, file, isRead: false, problems: [...parsed.problems, ...twice] };
  const report = createReport(parsed.source);
  const checked = checkSchema(projectSchema, parsed.source.value, report, explainMisplacedKey, { readsRest: true });
  const contents = checked === undefined ? {} : normalise(checked, report);
  return {
    ...NOTHING,
    file,
    ...contents,
    isRead: checked !== undefined,
    source: parsed.source,
    problems: [...report.problems.toSorted(byPlace), ...twice],
  };
}

function normalise(file: ProjectFile, report: Report): Partial<ProjectContents> {
  const inlineAgents = (file.agents ?? []).flatMap((entry, index) =>
    typeof entry === "string" ? [] : [{ file: entry, path: ["agents", index] }],
  );
  const agentFiles = file.agents?.flatMap((entry, index) =>
    typeof entry === "string" ? listed(entry, ["agents", index], report) : [],
  );
  return {
    settings: normaliseSettings(file, report),
    inlineAgents,
    agentFiles,
    workflowFiles: workflows(file, report),
  };
}

function normaliseSettings(file: ProjectFile, report: Report): ProjectSettings {
  const path = (written: string | undefined, at: YamlPath, initial: string): string => {
    if (written === undefined) return initial;
    const checked = projectPath(written);
    if (!checked.ok) {
      report.refused(at, checked.error);
      return initial;
    }
    const reason = checked.value.startsWith(".workspace") ? null : whyOnlyPeopleWrite(checked.value);
    if (reason !== null) report.error(at, `"${checked.value}" cannot hold data of the daemon: ${reason}`);
    return reason === null ? checked.value : initial;
  };
  const kept = (key: keyof NonNullable<ProjectFile["retention"]>, initial: number | null): number | null => {
    const written = file.retention?.[key];
    return written === "never" ? null : (duration(written, ["retention", key], report) ?? initial);
  };
  checkToolNames({ permissions: file.defaults?.permissions }, undefined, ["defaults"], report);
  const memory =
    file.defaults?.memory === undefined
      ? undefined
      : normaliseMemory(file.defaults.memory, ["defaults", "memory"], report);
  const { soul: _soul, ...guardFile } = file.guard ?? {};
  const guardDefaults = normaliseGuard(guardFile, ["guard"], {}, report);
  const model = file.defaults === undefined ? {} : normaliseModel(file.defaults, ["defaults"], report);
  const defaults = defined({ ...model, memory, guardDefaults });
  // Nodes that share a store are expected to share what their agents remember.
  const contextProvider = file.context?.provider ?? (file.store?.url === undefined ? "file" : "store");
  if (file.store?.url !== undefined && contextProvider === "file") {
    report.warn(
      ["context", "provider"],
      "Each node has personal contexts of its own: an agent that runs on another node has another memory.",
      {
        hint: "Write provider: store, and bring the files in with: agent-worker context import",
      },
    );
  }
  // A provider alone is that of agents that name their model.
  if (file.defaults?.model !== undefined) checkModelName(file.defaults, defaults, ["defaults"], report);
  return {
    workspace: {
      provider: file.workspace?.provider ?? BUILT_IN.workspace.provider,
      base: path(file.workspace?.base, ["workspace", "base"], BUILT_IN.workspace.base),
      documents: contextProvider === "store" ? "sqlite" : "file",
    },
    defaults,
    store: normaliseStore(file.store, path(file.store?.path, ["store", "path"], BUILT_IN.store.path), report),
    context: { provider: contextProvider },
    guard: {
      soul: {
        observe: file.guard?.soul?.observe ?? BUILT_IN.guard.soul.observe,
        apply: file.guard?.soul?.apply ?? BUILT_IN.guard.soul.apply,
      },
    },
    prices: Object.fromEntries(
      Object.entries(file.prices ?? {}).map(([model, price]) => [model, normalisePrice(price)]),
    ),
    retention: {
      transcriptsMs: kept("transcripts", BUILT_IN.retention.transcriptsMs),
      eventsMs: kept("events", BUILT_IN.retention.eventsMs),
      workspacesMs: kept("workspaces", BUILT_IN.retention.workspacesMs),
      deadLettersMs: kept("dead_letters", BUILT_IN.retention.deadLettersMs),
    },
  };
}

function normaliseStore(store: ProjectFile["store"], path: string, report: Report): ProjectSettings["store"] {
  const { provider, url, schema } = store ?? {};
  if (url === undefined) {
    if (provider === "postgres") {
      report.error(["store", "provider"], "A store on PostgreSQL needs a `url`.", { hint: "url: $DATABASE_URL" });
    }
    if (schema !== undefined) report.error(["store", "schema"], "Only a store with a `url` has a schema.");
    return { provider: "sqlite", path };
  }
  if (provider === "sqlite" || store?.path !== undefined) {
    report.error(["store", "url"], "A store is a file or has a `url`, not both.");
  }
  if (!/^(\$\{?[A-Za-z_]\w*\}?|postgres(ql)?:\/\/\S+)$/.test(url)) {
    report.error(["store", "url"], "It is no URL of PostgreSQL, and no variable.", {
      hint: "Write postgres://user@host/database, or $DATABASE_URL.",
    });
  }
  if (/^postgres(ql)?:\/\/[^@/]*:[^@/]+@/.test(url)) {
    report.warn(["store", "url"], "The password is readable for everybody who has this file.", {
      hint: "Put the URL into a variable, and write: url: $DATABASE_URL",
    });
  }
  return defined({ provider: "postgres" as const, path, url, schema });
}

function normalisePrice({ cached_input, cache_write, ...price }: NonNullable<ProjectFile["prices"]>[string]): Price {
  return defined({ ...price, cachedInput: cached_input, cacheWrite: cache_write });
}

function workflows(file: ProjectFile, report: Report): readonly ListedFile[] | undefined {
  if (file.workflows === undefined) return undefined;
  const seen = new Set<string>();
  return Object.entries(file.workflows).flatMap(([name, written]) => {
    const path = ["workflows", name];
    const checked = checkWorkflowName(name);
    if (!checked.ok) report.refused(path, checked.error, "key");
    if (seen.has(nameKey(name))) {
      report.error(path, `Two workflows are called "${name}" but for the case.`, { part: "key" });
      return [];
    }
    seen.add(nameKey(name));
    return checked.ok ? listed(written, path, report).map((entry) => ({ ...entry, name })) : [];
  });
}

function listed(written: string, path: YamlPath, report: Report): readonly ListedFile[] {
  const checked = projectPath(written);
  if (checked.ok) return [{ file: checked.value, listed: { in: report.file, place: report.place(path) } }];
  report.refused(path, checked.error);
  return [];
}
