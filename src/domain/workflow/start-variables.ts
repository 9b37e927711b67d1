import { referenceIn } from "../agent/variable-names.ts";
import { namesIn } from "../agent/variable-references.ts";
import type { WorkflowDefinition } from "./definition.ts";
import { isEnvironmentName, splitTemplate } from "./placeholder.ts";

/** Variables of the caller. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What every setup command gets of the caller's environment, so that programs are found and speak the right language. */
const BASIC_VARIABLES =
  "PATH HOME USER LOGNAME SHELL LANG LC_* TZ TMPDIR TERM HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy";

/** What every setup command gets in addition, so that git and the programs of code hosts work as in the caller's shell. */
export const LOGIN_VARIABLES = "SSH_AUTH_SOCK GH_TOKEN GITHUB_TOKEN GH_HOST GITLAB_TOKEN GIT_*";

const basic = anyOf(BASIC_VARIABLES);
const forSetup = anyOf(`${BASIC_VARIABLES} ${LOGIN_VARIABLES}`);

/** Returns the names of the variables that a start of the workflow uses. A name that ends in `*` is a beginning. */
export function startVariables(workflow: WorkflowDefinition): readonly string[] {
  const setup = workflow.setup.length === 0 ? [] : `${BASIC_VARIABLES} ${LOGIN_VARIABLES}`.split(" ");
  return [...new Set([...namedVariables(workflow), ...setup])];
}

/** Returns the variables that the texts and the `env` of a workflow name. */
export function namedVariables(workflow: WorkflowDefinition): readonly string[] {
  return [...new Set([...variablesInTexts(workflow), ...Object.values(workflow.env ?? {}).flatMap(namesIn)])];
}

/** Returns the variables without which the workflow cannot start: those of `${{ env.NAME }}`. */
export function variablesInTexts({ setup, kickoff = "" }: WorkflowDefinition): readonly string[] {
  return [kickoff, ...setup.map(({ shell }) => shell)].flatMap(variablesOfTemplate);
}

/** Returns the variables of an environment that these names and beginnings mean. */
export function pickVariables(env: Environment, names: readonly string[]): Record<string, string> {
  const wanted = anyOf(names.join(" "));
  return pick(env, (name) => wanted.test(name));
}

/** Returns what a setup command gets of the caller's environment; what the caller did not send, from `fallback`. */
export function setupVariables(env: Environment, fallback: Environment): Record<string, string> {
  return { ...pick(fallback, (name) => basic.test(name)), ...pick(env, (name) => forSetup.test(name)) };
}

/** `env: [NAME]` is stored as `NAME: $NAME`. Such a variable is passed on if it is set. */
export function passedOnly(name: string, value: string): boolean {
  return referenceIn(value) === name;
}

function pick(env: Environment, isWanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && isWanted(name) ? [[name, value] as const] : [],
    ),
  );
}

/** Returns the variables that `${{ env.NAME }}` names. A text that cannot be parsed is refused before it is used. */
function variablesOfTemplate(template: string): readonly string[] {
  const parts = splitTemplate(template);
  if (!parts.ok) return [];
  return parts.value.flatMap(({ placeholder }) =>
    placeholder !== undefined && isEnvironmentName(placeholder.name) ? [placeholder.name.slice("env.".length)] : [],
  );
}

function anyOf(names: string): RegExp {
  const each = names.split(" ").map((name) => name.split("*").map(RegExp.escape).join(".*"));
  return new RegExp(`^(?:${each.join("|")})$`);
}
