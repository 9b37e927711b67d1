import { realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import type { DefinitionProblem, ProjectSettings } from "../../ports/definitions.ts";
import type { LoadedWorkflow, Outcome } from "../definitions/load-definition.ts";
import { lastingStampAt, stampAt } from "../file-stamp.ts";
import { loadWorkflowFile } from "./load-workflow-file.ts";

/**
 * The workflows of files that persons named. Each is read when it is asked for the first time, then when it or what the
 * project file gives to it changed.
 */
export interface NamedWorkflows {
  /** Reads the file now. */
  read(file: string): Outcome<LoadedWorkflow>;
  find(file: string): WorkflowDefinition | undefined;
  /** The first mistake of the file. */
  problem(file: string): DefinitionProblem | undefined;
  all(): readonly WorkflowDefinition[];
  isCurrent(file: string): boolean;
  /** Reads those that changed. Returns whether there were any. */
  refresh(): boolean;
  /** Returns the file as it is stored: relative to the project where it is inside. */
  nameOf(path: string): string;
}

export function createNamedWorkflows(projectDir: string, settings: () => ProjectSettings): NamedWorkflows {
  const root = realpathSync(projectDir);
  const entries = new Map<
    string,
    { readonly stamp: string | undefined; readonly under: string; readonly outcome: Outcome<LoadedWorkflow> }
  >();
  /** What the project file gives to every workflow. */
  const given = (): string => JSON.stringify([settings().defaults, settings().workspace.provider]);
  const pathOf = (file: string): string => (isAbsolute(file) ? file : join(root, file));

  const read = (file: string): Outcome<LoadedWorkflow> => {
    const stamp = lastingStampAt(pathOf(file));
    const outcome = loadWorkflowFile(projectDir, file, settings());
    entries.set(file, { stamp, under: given(), outcome });
    return outcome;
  };
  const entry = (file: string): Outcome<LoadedWorkflow> => entries.get(file)?.outcome ?? read(file);
  const isCurrent = (file: string): boolean => {
    const known = entries.get(file);
    return known !== undefined && known.under === given() && known.stamp === stampAt(pathOf(file));
  };
  return {
    read,
    find: (file) => entry(file).loaded?.definition,
    problem: (file) => {
      const { loaded, problems } = entry(file);
      // A file that was removed is not a broken one.
      if (loaded !== undefined || stampAt(pathOf(file)) === "") return undefined;
      return problems.find(({ severity }) => severity === "error");
    },
    all: () => [...entries.values()].flatMap(({ outcome }) => outcome.loaded?.definition ?? []),
    isCurrent,
    refresh() {
      const changed = [...entries.keys()].filter((file) => !isCurrent(file));
      changed.forEach(read);
      return changed.length > 0;
    },
    nameOf(path) {
      const inside = relative(root, path).split(sep).join("/");
      return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside;
    },
  };
}
