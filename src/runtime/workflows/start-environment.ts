import { definedVariables } from "../../domain/agent/variable-references.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import {
  namedVariables,
  passedOnly,
  pickVariables,
  setupVariables,
  variablesInTexts,
  type Environment,
} from "../../domain/workflow/start-variables.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/** The variables of one start. They exist while it runs, and nothing stores them. */
export interface StartEnvironment {
  /** For `${{ env.NAME }}`. */
  readonly placeholders: Environment;
  /** For setup commands. */
  readonly setup: Readonly<Record<string, string>>;
}

export interface EnvironmentSources {
  /** Of the person who typed the start; undefined when nobody did: a schedule, or the page. */
  readonly caller: Environment | undefined;
  readonly daemon: Environment;
  /** From the `.env` of the project. What is set elsewhere is not overridden. */
  readonly project: Readonly<Record<string, string>>;
}

export function startEnvironment(
  workflow: WorkflowDefinition,
  { caller, daemon, project }: EnvironmentSources,
): Result<StartEnvironment, Refusal> {
  const { env = {} } = workflow;
  const person = caller ?? daemon;
  const known = { ...project, ...person };
  const wanted = Object.entries(env).filter(([name, value]) => !passedOnly(name, value) || known[name] !== undefined);
  const defined = definedVariables(Object.fromEntries(wanted), known);
  if (!defined.ok) return defined;
  const placeholders: Environment = { ...known, ...defined.value };
  const missing = variablesInTexts(workflow).find((name) => placeholders[name] === undefined);
  if (missing !== undefined) {
    return refuse("invalid", `The environment variable ${missing} is not set.`, {
      hint: `Set it for the command that starts the workflow, write it into .env, or remove \${{ env.${missing} }}.`,
      details: { name: `env.${missing}` },
    });
  }
  return ok({
    placeholders,
    setup: {
      ...project,
      // A variable that only the file names is not read from the person: consent does not show it.
      ...pickVariables(
        person,
        namedVariables(workflow).filter((name) => Object.hasOwn(project, name)),
      ),
      ...setupVariables(person, daemon),
      ...defined.value,
    },
  });
}
