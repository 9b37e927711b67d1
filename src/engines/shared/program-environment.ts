import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { definedVariables } from "../../domain/agent/variable-references.ts";
import type { ToolEndpoint } from "../../ports/tools.ts";
import { childEnvironment, workerEnvironment, type Environment } from "./environment.ts";
import { valueOrFailure } from "./failure-text.ts";

/** Which variables an agent's program gets. A name that ends in `*` is a prefix. */
export interface ProgramVariables {
  /** Variables of the daemon that are passed on, besides those every command gets. */
  readonly passes: readonly string[];
  /** Set unless an agent's `env` says otherwise, such as what turns off telemetry and updates. */
  readonly sets: Readonly<Record<string, string>>;
}

/**
 * Returns the environment of an agent's program: an allow-list of the daemon's variables, and what the agent's
 * definition adds. Throws an EngineFailure for a variable that no definition may set.
 */
export function agentEnvironment(
  variables: ProgramVariables,
  agent: Pick<AgentDefinition, "env">,
  env: Environment,
  nameable: Environment = env,
): Record<string, string> {
  return { ...programEnvironment(variables, env), ...valueOrFailure(definedVariables(agent.env, nameable)) };
}

/** Returns the same environment without an agent, for probing the program. */
export function programEnvironment(
  { passes, sets }: Pick<ProgramVariables, "passes" | "sets">,
  env: Environment,
): Record<string, string> {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isListed(passes, name) ? [[name, value] as const] : [],
  );
  return { ...childEnvironment(env, workerEnvironment(env)), ...Object.fromEntries(passed), ...sets };
}

/** Returns variables with which `agent-worker context ...` in a shell of the program acts for the run. */
export function runVariables(endpoint: ToolEndpoint | null): Record<string, string> {
  return endpoint === null
    ? {}
    : { AGENT_WORKER_URL: new URL(endpoint.url).origin, AGENT_WORKER_TOKEN: endpoint.token };
}

/** Returns the variables that are for the program alone: its login, and the token of the run. */
export function loginVariables({ passes }: Pick<ProgramVariables, "passes">, env: Environment): readonly string[] {
  const passed = Object.keys(env).filter((name) => isListed(passes, name) && /^[A-Za-z_]\w*$/.test(name));
  return ["AGENT_WORKER_URL", "AGENT_WORKER_TOKEN", ...passed];
}

function isListed(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name));
}
