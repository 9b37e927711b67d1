import { mergeGuard } from "../../../domain/guard/guard-of.ts";
import type { GuardSettings } from "../../../domain/agent/guard-settings.ts";
import { checkAgentName, checkWorkflowName, nameKey } from "../../../domain/names.ts";
import type {
  AgentEntry,
  SetupStep,
  WorkflowDefinition,
  WorkspaceProvider,
} from "../../../domain/workflow/definition.ts";
import { checkKickoffMentions } from "../../../domain/workflow/kickoff-mentions.ts";
import { checkPlaceholders } from "../../../domain/workflow/placeholder.ts";
import { OUTPUT_NAME, scopeNames } from "../../../domain/workflow/scope.ts";
import type { ProjectDefaults } from "../../../ports/definitions.ts";
import { projectPath } from "../../project-path.ts";
import { quoted } from "../../yaml/excerpt.ts";
import type { YamlPath } from "../../yaml/problem.ts";
import type { Report } from "../../yaml/report.ts";
import { isRefEntry } from "../schema/workflow-schema.ts";
import type { EntryFile, InlineFile, WorkflowFile } from "../schema/workflow-schema.ts";
import { applyDefaults } from "./apply-defaults.ts";
import { checkToolNames } from "./check-tool-names.ts";
import { defined } from "./defined.ts";
import { checkShellMode, ADD_A_NAME, requireModel } from "./normalise-agent.ts";
import { normaliseGuard } from "./normalise-guard.ts";
import { normaliseParams } from "./normalise-params.ts";
import { normalisePrompt } from "./normalise-prompt.ts";
import type { WorktreeChoice } from "../../../domain/worktree/worktree.ts";
import {
  duration,
  normaliseBudget,
  normaliseEnv,
  normaliseMemory,
  normaliseRuntime,
  normaliseWorktree,
} from "./normalise-runtime.ts";
import { normaliseWorkspace } from "./normalise-workspace.ts";

export interface WorkflowContext {
  /** Name of the file, used when the workflow has no name. */
  readonly fallbackName?: string | undefined;
  /** Name in the project file; it overrides the others. */
  readonly listedName?: string | undefined;
  readonly defaults?: ProjectDefaults;
  readonly provider?: WorkspaceProvider;
  readonly documents?: "file" | "sqlite";
}

/** Converts a workflow file to a definition. Returns undefined when an error was reported. */
export function normaliseWorkflow(
  file: WorkflowFile,
  report: Report,
  context: WorkflowContext = {},
): WorkflowDefinition | undefined {
  const name = workflowName(file.name, context, report);
  const { defaults = {} } = context;
  const guard = normaliseGuard(file.guard, ["guard"], defaults.guardDefaults ?? {}, report);
  const guardDefaults = guard && mergeGuard(defaults.guardDefaults ?? {}, guard);
  const worktree = normaliseWorktree(file.worktree, "workspace", ["worktree"], report);
  const shared = defined({ guardDefaults, worktree });
  const agents = normaliseEntries(file.agents, { ...defaults, ...defined({ guardDefaults }) }, shared, report);
  const workflow: WorkflowDefinition = {
    name: name ?? "",
    agents,
    workspace: normaliseWorkspace(file, report, {
      participants: Object.keys(agents),
      ...(context.provider === undefined ? {} : { provider: context.provider }),
      ...(context.documents === undefined ? {} : { documents: context.documents }),
    }),
    params: normaliseParams(file.params, report),
    setup: normaliseSetup(file.setup ?? [], report),
    ...defined({
      env: file.env && normaliseEnv(namedOrGiven(file.env), ["env"], report),
      kickoff: file.kickoff,
      budget: file.budget && normaliseBudget(file.budget, ["budget"], report),
      guard: file.guard && { soul: { observe: file.guard.soul?.observe ?? true } },
    }),
  };
  checkTemplates(workflow, file, report);
  if (!report.failed()) checkKickoff(workflow, report);
  return report.failed() ? undefined : workflow;
}

function workflowName(written: string | undefined, context: WorkflowContext, report: Report): string | undefined {
  const checked = checkWorkflowName(context.listedName ?? written ?? context.fallbackName ?? "");
  if (checked.ok) return checked.value;
  const fromFile = context.listedName === undefined && written === undefined;
  report.error(["name"], fromFile ? `The file gives no name: ${checked.error.message}` : checked.error.message, {
    hint: fromFile ? ADD_A_NAME : checked.error.hint,
  });
  return undefined;
}

function normaliseEntries(
  file: WorkflowFile["agents"],
  defaults: ProjectDefaults,
  shared: { readonly guardDefaults?: GuardSettings; readonly worktree?: WorktreeChoice },
  report: Report,
) {
  const entries: Record<string, AgentEntry> = {};
  const seen = new Map<string, string>();
  if (Object.keys(file).length === 0) {
    report.error(["agents"], "A workflow needs at least one agent.", { part: "key" });
  }
  for (const [name, entry] of Object.entries(file)) {
    const path = ["agents", name];
    const checked = checkAgentName(name);
    if (!checked.ok) report.refused(path, checked.error, "key");
    const other = seen.get(nameKey(name));
    if (other !== undefined) {
      report.error(path, `"${name}" and "${other}" differ only in case.`, {
        part: "key",
        hint: "Rename one of the two.",
      });
    }
    seen.set(nameKey(name), name);
    const normalised = normaliseEntry(entry, path, defaults, report);
    if (normalised === undefined) continue;
    checkOwnWorktree(normalised, shared.worktree, path, report);
    entries[name] = { ...normalised, ...shared, ...defined({ worktree: normalised.worktree ?? shared.worktree }) };
  }
  return entries;
}

/** Git cannot have the branch of a workspace and one of an agent below it. */
function checkOwnWorktree(
  { worktree: own }: AgentEntry,
  shared: WorktreeChoice | undefined,
  path: YamlPath,
  report: Report,
): void {
  if (!shared || !own || own.branch !== undefined) return;
  report.error(
    [...path, "worktree"],
    "All agents of this workflow share a worktree, so it cannot have its own as well.",
    {
      hint: "Remove it here or in the workflow, or name another branch.",
      part: "key",
    },
  );
}

function normaliseEntry(
  entry: EntryFile,
  path: YamlPath,
  defaults: ProjectDefaults,
  report: Report,
): AgentEntry | undefined {
  if (typeof entry === "string") return checkRef(entry, path, report) ? { kind: "ref", ref: entry } : undefined;
  if (!isRefEntry(entry)) return normaliseInline(entry, path, defaults, report);
  checkRef(entry.ref, [...path, "ref"], report);
  if (entry.prompt !== undefined && entry.prompt.append === undefined) {
    report.error([...path, "prompt"], `"prompt" of an agent taken by ref needs "append".`, { part: "key" });
  }
  const runtime = normaliseRuntime(entry, path, report);
  checkToolNames(entry, entry.backend === undefined ? undefined : runtime, path, report);
  return { kind: "ref", ref: entry.ref, ...runtime, ...defined({ promptAppend: entry.prompt?.append }) };
}

function checkRef(ref: string, path: YamlPath, report: Report): boolean {
  const checked = checkAgentName(ref);
  if (!checked.ok) report.refused(path, checked.error);
  return checked.ok;
}

function normaliseInline(
  file: InlineFile,
  path: YamlPath,
  defaults: ProjectDefaults,
  report: Report,
): AgentEntry | undefined {
  const prompt = normalisePrompt(file, path, report);
  const memory = file.memory === undefined ? {} : { memory: normaliseMemory(file.memory, [...path, "memory"], report) };
  const settings = applyDefaults({ ...normaliseRuntime(file, path, report), ...memory }, defaults);
  requireModel(file, settings, path, report);
  checkToolNames(file, settings, path, report);
  checkShellMode(String(path.at(-1)), file, settings, path, report);
  const guard = normaliseGuard(file.guard, [...path, "guard"], settings.guardDefaults ?? {}, report);
  if (prompt === undefined) return undefined;
  return { kind: "inline", ...settings, ...defined({ prompt, soul: file.soul && defined(file.soul), guard }) };
}

function normaliseSetup(file: NonNullable<WorkflowFile["setup"]>, report: Report): readonly SetupStep[] {
  const seen = new Set<string>();
  return file.map((step, index) => {
    const path: YamlPath = ["setup", index];
    if (step.as !== undefined && (!OUTPUT_NAME.test(step.as) || step.as === "instance")) {
      report.error([...path, "as"], `${quoted(step.as)} cannot be the name of an output.`, {
        hint: "Use one word of letters, digits, _ and -.",
      });
    }
    if (step.as !== undefined && seen.has(step.as)) {
      report.error([...path, "as"], `The output ${quoted(step.as)} is named twice.`);
    }
    if (step.as !== undefined) seen.add(step.as);
    const cwd = step.cwd === undefined || step.cwd === "." ? undefined : projectPath(step.cwd);
    if (cwd !== undefined && !cwd.ok) report.refused([...path, "cwd"], cwd.error);
    return defined({
      shell: step.shell,
      as: step.as,
      cwd: cwd?.ok === true ? cwd.value : undefined,
      timeoutMs: duration(step.timeout, [...path, "timeout"], report),
    });
  });
}

/** A name in a list stands for the caller's variable of that name. */
function namedOrGiven(file: NonNullable<WorkflowFile["env"]>) {
  return Array.isArray(file) ? Object.fromEntries(file.map((name) => [name, `$${name}`])) : file;
}

/** Checks that every placeholder can be filled in, before anything runs. Prompts are not templates. */
function checkTemplates(workflow: WorkflowDefinition, file: WorkflowFile, report: Report): void {
  const check = (template: string | undefined, path: YamlPath, names: readonly string[]): void => {
    if (template === undefined) return;
    const checked = checkPlaceholders(template, names);
    if (!checked.ok) report.refusedInText(path, checked.error);
  };
  for (const [index, step] of workflow.setup.entries())
    check(step.shell, ["setup", index, "shell"], scopeNames(workflow, index));
  check(file.kickoff, ["kickoff"], scopeNames(workflow));
  const key = file.workspace === undefined ? "context" : "workspace";
  check(workflow.workspace.bind, [key], ["workflow.name", "workflow.tag", "workflow.instance", "instance"]);
}

/** Only a sound file is asked whom its kickoff wakes: one mistake is not reported twice. */
function checkKickoff(workflow: WorkflowDefinition, report: Report): void {
  const mentions = checkKickoffMentions(workflow);
  if (!mentions.ok) report.refusedInText(["kickoff"], mentions.error);
  else if (mentions.value.warning !== undefined) {
    const { message, hint } = mentions.value.warning;
    report.warn(["kickoff"], message, { hint });
  }
}
