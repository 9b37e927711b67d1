import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { ToolEndpoint } from "../../ports/tools.ts";
import { childEnvironment, expandReferences, workerEnvironment, type Environment } from "./environment.ts";
import { valueOrFailure } from "./failure-text.ts";

/** Which variables an agent's program gets. A name that ends in `*` is a prefix. */
export interface ProgramVariables {
  /** Name of the program for people. */
  readonly title: string;
  /** Variables of the daemon that are passed on, besides those every command gets. */
  readonly passes: readonly string[];
  /** Variables an agent's `env` must not set: they would send the person's login to another address. */
  readonly reserved: readonly string[];
  /** Set unless an agent's `env` says otherwise, such as what turns off telemetry and updates. */
  readonly sets: Readonly<Record<string, string>>;
}

/**
 * Returns the environment of an agent's program: an allow-list of the daemon's variables, and what the agent's
 * definition adds. Throws an EngineFailure for a reserved variable.
 */
export function agentEnvironment(
  variables: ProgramVariables,
  agent: Pick<AgentDefinition, "name" | "env">,
  env: Environment,
): Record<string, string> {
  const added = valueOrFailure(expandReferences(agent.env ?? {}, env));
  const refused = Object.keys(added).find((name) => isListed(variables.reserved, name));
  if (refused !== undefined) {
    throw new EngineFailure(
      "permanent",
      `${agent.name} sets ${refused} in "env", which would change where ${variables.title} takes its login. ` +
        `Remove it; for a model at another address write provider: {name, base_url, api_key}.`,
    );
  }
  return { ...programEnvironment(variables, env), ...added };
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

function isListed(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name));
}
