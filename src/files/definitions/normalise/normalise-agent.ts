import { whyOnlyPeopleWrite } from "../../../domain/agent/obeyed-files.ts";
import type { AgentDefinition, RuntimeSettings } from "../../../domain/agent/definition.ts";
import { lacksModel } from "../../../domain/agent/engines.ts";
import { checkAgentName } from "../../../domain/names.ts";
import type { ProjectDefaults } from "../../../ports/definitions.ts";
import { projectPath } from "../../project-path.ts";
import type { YamlPath } from "../../yaml/problem.ts";
import type { Report } from "../../yaml/report.ts";
import type { AgentFile } from "../schema/agent-schema.ts";
import { findShellModeProblem } from "../../../domain/worktree/shell-mode.ts";
import type { ModelFile } from "../schema/runtime-schema.ts";
import { applyDefaults } from "./apply-defaults.ts";
import { checkToolNames } from "./check-tool-names.ts";
import { defined } from "./defined.ts";
import { normaliseGuard } from "./normalise-guard.ts";
import { normalisePrompt } from "./normalise-prompt.ts";
import { checkModelName, normaliseMemory, normaliseRuntime } from "./normalise-runtime.ts";

/** Folders that have another purpose and cannot be a personal context. */
const RESERVED_FOLDERS =
  /^(?:\.agents|\.agents\/skills(?:\/.*)?|\.workflows(?:\/.*)?|\.workspace(?:\/.*)?|\.git(?:\/.*)?)$/u;

export const ADD_A_NAME = "Add name: to the file, or rename it.";

/**
 * Converts an agent file to a definition. `fallbackName` is the name of the file; without it the agent must have a name.
 * Returns undefined when an error was reported.
 */
export function normaliseAgent(
  file: AgentFile,
  report: Report,
  options: { readonly fallbackName?: string | undefined; readonly defaults?: ProjectDefaults } = {},
): AgentDefinition | undefined {
  const name = agentName(file.name, options.fallbackName, report);
  const prompt = normalisePrompt(file, [], report);
  const runtime = normaliseRuntime(file, [], report);
  const settings = applyDefaults(
    { ...runtime, ...(file.memory === undefined ? {} : { memory: normaliseMemory(file.memory, ["memory"], report) }) },
    options.defaults ?? {},
  );
  const guard = normaliseGuard(file.guard, ["guard"], settings.guardDefaults ?? {}, report);
  requireModel(file, settings, [], report);
  checkToolNames(file, settings, [], report);
  checkShellMode(name ?? "It", file, settings, [], report);
  const contextDir = file.context?.dir === undefined ? undefined : contextFolder(file.context.dir, report);
  if (report.failed() || name === undefined || prompt === undefined) return undefined;
  return { ...settings, ...defined({ name, prompt, soul: file.soul && defined(file.soul), guard, contextDir }) };
}

/** Warns of a shell with which the agent could not begin. What the file does not say may be changed where it takes part. */
export function checkShellMode(
  name: string,
  file: Pick<AgentFile, "worktree" | "permissions">,
  settings: RuntimeSettings,
  path: YamlPath,
  report: Report,
): void {
  const problem = findShellModeProblem(name, settings);
  if (problem === undefined || file[problem.key] === undefined) return;
  report.warn([...path, problem.key], problem.message, { hint: problem.hint, part: "key" });
}

/**
 * Reports an error when the engine needs a model and there is none, or when the file names one that nobody serves. What
 * the defaults of the project name is reported with the project file.
 */
export function requireModel(file: ModelFile, settings: RuntimeSettings, path: YamlPath, report: Report): void {
  if (lacksModel(settings)) {
    report.error(path, `"model" is missing: the sdk engine needs one.`, {
      hint: "Add model: provider/model, model: auto, or another backend.",
      part: "key",
    });
  } else if (file.model !== undefined || file.provider !== undefined) checkModelName(file, settings, path, report);
}

function agentName(written: string | undefined, fallback: string | undefined, report: Report): string | undefined {
  if (written === undefined && fallback === undefined) {
    report.error([], `"name" is missing.`, { part: "key" });
    return undefined;
  }
  const checked = checkAgentName(written ?? fallback ?? "");
  if (checked.ok) return checked.value;
  if (written !== undefined) report.refused(["name"], checked.error);
  else report.error([], `The file gives no name: ${checked.error.message}`, { hint: ADD_A_NAME });
  return undefined;
}

function contextFolder(written: string, report: Report): string | undefined {
  const path = projectPath(written);
  if (!path.ok) {
    report.refused(["context", "dir"], path.error);
    return undefined;
  }
  const reason = path.value.startsWith(".agents/") ? null : whyOnlyPeopleWrite(path.value);
  if (RESERVED_FOLDERS.test(path.value) || reason !== null) {
    report.error(["context", "dir"], `"${path.value}" cannot be the folder of one agent.`, {
      hint: "Leave it out for .agents/<name>/.",
    });
    return undefined;
  }
  return path.value;
}
