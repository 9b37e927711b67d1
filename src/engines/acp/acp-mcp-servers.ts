import type { McpCapabilities, McpServer as AcpMcpServer } from "@agentclientprotocol/sdk";
import { EngineFailure } from "../../ports/engine.ts";
import type { ToolEndpoint } from "../../ports/tools.ts";
import type { EngineParts } from "../shared/engine-module.ts";
import { serverCommand, TEAM_SERVER, type McpServers, type ServerCommand } from "../shared/mcp-servers.ts";

/**
 * Returns the servers a session is opened with: the agent's own, then the team's. Every ACP agent can start a program,
 * but not every one can call an address: those get the team's tools through a bridge.
 */
export function acpMcpServers(
  own: McpServers,
  endpoint: ToolEndpoint | null,
  capabilities: McpCapabilities | undefined,
  bridge: EngineParts["bridge"] | undefined,
  cwd: string,
): AcpMcpServer[] {
  const http = capabilities?.http === true;
  const servers = Object.entries(own).map(([name, server]): AcpMcpServer => {
    if (!("url" in server)) return stdio(name, serverCommand(server, cwd));
    if (http) return { type: "http", name, url: server.url, headers: pairs(server.headers ?? {}) };
    throw new EngineFailure(
      "permanent",
      `This ACP agent cannot reach MCP servers by address, and "${name}" has one. Start it as a command, or leave it out.`,
    );
  });
  if (endpoint === null) return servers;
  if (http) {
    const headers = pairs({ Authorization: `Bearer ${endpoint.token}` });
    return [...servers, { type: "http", name: TEAM_SERVER, url: endpoint.url, headers }];
  }
  if (bridge === undefined) {
    throw new EngineFailure(
      "permanent",
      "This ACP agent cannot reach the team's tools: it takes no MCP server by address.",
    );
  }
  return [...servers, stdio(TEAM_SERVER, bridge(endpoint))];
}

function stdio(name: string, { command, args, env }: ServerCommand): AcpMcpServer {
  return { name, command, args: [...args], env: pairs(env) };
}

function pairs(table: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(table).map(([name, value]) => ({ name, value }));
}
