import type { AgentDefinition, McpServer } from "../../domain/agent/definition.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { ToolEndpoint } from "../../ports/tools.ts";
import { childEnvironment } from "../process/child-environment.ts";
import { expandReferences, workerEnvironment, type Environment } from "./environment.ts";
import { TEAM_SERVER, type CliDialect, type CliProvider } from "../cli/cli-dialect.ts";

/**
 * What a command line finds in its environment: what every command finds, the way out to the network, its own few
 * variables of the daemon's, and what the agent's definition adds. Nothing of a command line that the daemon itself may
 * have been started from gets through, because nothing gets through that is not named.
 */
export function cliEnvironment(
  dialect: Pick<CliDialect, "title" | "passes" | "reserved" | "sets">,
  agent: Pick<AgentDefinition, "name" | "env">,
  env: Environment,
): Record<string, string> {
  const own = accepted(expandReferences(agent.env ?? {}, env));
  const refused = Object.keys(own).find((name) => isNamed(dialect.reserved, name));
  if (refused !== undefined) {
    throw new EngineFailure(
      "permanent",
      `${agent.name} sets ${refused} in "env", which would change where ${dialect.title} takes its login. ` +
        `Remove it; for a model at another address write provider: {name, base_url, api_key}.`,
    );
  }
  return { ...programEnvironment(dialect, env), ...dialect.sets, ...own };
}

/** The same without an agent, to ask the program about itself. */
export function programEnvironment({ passes }: Pick<CliDialect, "passes">, env: Environment): Record<string, string> {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isNamed(passes, name) ? [[name, value] as const] : [],
  );
  return { ...childEnvironment(env, workerEnvironment(env)), ...Object.fromEntries(passed) };
}

/** Lets `agent-worker context ...` in a shell of the program speak for the run, for programs that cannot speak MCP. */
export function runVariables(endpoint: ToolEndpoint | null): Record<string, string> {
  return endpoint === null
    ? {}
    : { AGENT_WORKER_URL: new URL(endpoint.url).origin, AGENT_WORKER_TOKEN: endpoint.token };
}

export function cliProvider(
  { name: agentName, provider, env: own }: Pick<AgentDefinition, "name" | "provider" | "env">,
  env: Environment,
): CliProvider | null {
  if (provider === undefined) return null;
  const { name, baseUrl = null, apiKeyEnv = null } = { baseUrl: undefined, apiKeyEnv: undefined, ...provider };
  if (baseUrl !== null && apiKeyEnv === null) {
    throw new EngineFailure(
      "permanent",
      `The provider of ${agentName} has a base_url and no api_key, and your login is not sent to an address of the ` +
        `project. Name the variable that holds its key: api_key: $NAME.`,
    );
  }
  const apiKey = apiKeyEnv === null ? null : (accepted(expandReferences(own ?? {}, env))[apiKeyEnv] ?? env[apiKeyEnv]);
  if (apiKey === undefined) {
    throw new EngineFailure(
      "permanent",
      `The environment variable ${apiKeyEnv ?? ""} is not set. Set it and try again.`,
    );
  }
  return { name, baseUrl, apiKey };
}

export function cliServers(
  agent: Pick<AgentDefinition, "name" | "mcpServers">,
  env: Environment,
): Record<string, McpServer> {
  if (Object.hasOwn(agent.mcpServers ?? {}, TEAM_SERVER)) {
    throw new EngineFailure(
      "permanent",
      `${agent.name} has an MCP server called "${TEAM_SERVER}", which is the name of the team's tools. Rename it.`,
    );
  }
  return Object.fromEntries(
    Object.entries(agent.mcpServers ?? {}).map(([name, server]) => [
      name,
      "url" in server
        ? { ...server, headers: accepted(expandReferences(server.headers ?? {}, env)) }
        : { ...server, env: accepted(expandReferences(server.env ?? {}, env)) },
    ]),
  );
}

function isNamed(patterns: readonly string[], name: string): boolean {
  return patterns.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name));
}

function accepted<T>(result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  const { message, hint } = result.error;
  throw new EngineFailure("permanent", hint === undefined ? message : `${message} ${hint}`);
}
