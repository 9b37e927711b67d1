import { join, relative } from "node:path";
import { serverCommand, TEAM_SERVER } from "../../shared/mcp-servers.ts";
import type { CliProvider, CliTurn } from "../cli-dialect.ts";
import { opencodePermissions } from "./opencode-permissions.ts";

/**
 * The configuration of one turn. It is passed in a variable, which OpenCode reads last: a file of the project can then
 * neither redirect the team's token nor widen the agent's permissions. Long and secret values are in files of the turn,
 * which the configuration refers to; OpenCode expands no references inside them.
 */
export interface OpencodeConfig {
  readonly json: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Name of the agent in OpenCode. */
export const AGENT_NAME = "agent-worker";

/** Providers for which OpenCode has a package; any other needs one named. */
const BUILT_IN = new Set([
  "anthropic",
  "openai",
  "google",
  "openrouter",
  "mistral",
  "deepseek",
  "groq",
  "xai",
  "opencode",
  "amazon-bedrock",
  "azure",
]);

/** `model` is written as OpenCode names it, `provider/model`. */
export function opencodeConfig(turn: CliTurn, model: string | null): OpencodeConfig {
  const { agent, system, provider, endpoint, mcpServers, folder, cwd } = turn;
  const files: Record<string, string> = {};
  const inFile = (name: string, text: string): string => {
    files[name] = text;
    return `{file:${join(folder, name)}}`;
  };
  const hidden = (name: string, table: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(table).map(([key, text], index) => [key, inFile(`${name}-${index}`, text)]));

  const agentServers = Object.entries(mcpServers).map(([name, server], index) => {
    if ("url" in server) {
      return [
        name,
        { type: "remote", url: server.url, headers: hidden(`header-${index}`, server.headers), enabled: true },
      ];
    }
    const { command, args, env } = serverCommand(server, cwd);
    const environment = hidden(`variable-${index}`, env);
    return [name, { type: "local", command: [command, ...args], environment, enabled: true }];
  });
  const team =
    endpoint === null
      ? {}
      : {
          [TEAM_SERVER]: {
            type: "remote",
            url: endpoint.url,
            headers: { Authorization: `Bearer ${inFile("token", endpoint.token)}` },
            // Without this, OpenCode would start a login when the token is refused.
            oauth: false,
            enabled: true,
          },
        };

  const config = {
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    ...(provider === null ? {} : { provider: { [provider.name]: providerConfig(provider, model, inFile) } }),
    mcp: { ...Object.fromEntries(agentServers), ...team },
    agent: {
      [AGENT_NAME]: {
        mode: "primary",
        prompt: inFile("system.md", system),
        ...(agent.maxSteps === undefined ? {} : { steps: agent.maxSteps }),
        permission: opencodePermissions(
          agent.permissions,
          [...Object.keys(mcpServers), TEAM_SERVER],
          turn.privateFolders.map((path) => relative(cwd, path).replace(/^(\.\.\/)+/, "")),
        ),
      },
    },
  };
  return { json: JSON.stringify(config), files };
}

function providerConfig(
  { name, baseUrl, apiKey }: CliProvider,
  model: string | null,
  inFile: (name: string, text: string) => string,
): unknown {
  return {
    ...(BUILT_IN.has(name) ? {} : { npm: "@ai-sdk/openai-compatible" }),
    options: {
      ...(baseUrl === null ? {} : { baseURL: baseUrl }),
      ...(apiKey === null ? {} : { apiKey: inFile("key", apiKey) }),
    },
    // OpenCode knows only models that have an entry.
    ...(model === null ? {} : { models: { [model.slice(model.indexOf("/") + 1)]: {} } }),
  };
}
