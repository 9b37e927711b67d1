import type { McpServer } from "../../../domain/agent/definition.ts";
import { serverCommand, TEAM_SERVER } from "../../shared/mcp-servers.ts";
import type { CliTurn } from "../cli-dialect.ts";
import type { CursorPermissions } from "./cursor-permissions.ts";

/**
 * Files in the folder of a turn: a configuration with the agent's permissions, and a plugin with the team's tools and
 * the agent's own MCP servers. A plugin for one start is the only way to give Cursor servers without writing to the
 * project or to the person's home.
 */
export const CONFIG_FOLDER = "config";
export const PLUGIN_FOLDER = "plugin";
const PLUGIN_NAME = "agent-worker";
/** Cursor puts the plugin's name before the names of its servers. */
const PREFIX = `plugin-${PLUGIN_NAME}-`;

/** Returns every name that a server may have in a permission. */
export function serverNames(mcpServers: Readonly<Record<string, McpServer>>): string[] {
  return [TEAM_SERVER, ...Object.keys(mcpServers)].flatMap((name) => [name, `${PREFIX}${name}`]);
}

export function cursorFiles(
  { endpoint, mcpServers, cwd }: Pick<CliTurn, "endpoint" | "mcpServers" | "cwd">,
  { allow, deny }: CursorPermissions,
): Record<string, string> {
  const agentServers = Object.entries(mcpServers).map(([name, server]) => [
    name,
    "url" in server ? server : serverCommand(server, cwd),
  ]);
  const team =
    endpoint === null
      ? {}
      : { [TEAM_SERVER]: { url: endpoint.url, headers: { Authorization: `Bearer ${endpoint.token}` } } };
  return {
    [`${CONFIG_FOLDER}/cli-config.json`]: JSON.stringify({
      version: 1,
      editor: { vimMode: false },
      permissions: { allow, deny },
    }),
    [`${PLUGIN_FOLDER}/.cursor-plugin/plugin.json`]: JSON.stringify({ name: PLUGIN_NAME, mcpServers: "mcp.json" }),
    [`${PLUGIN_FOLDER}/mcp.json`]: JSON.stringify({ mcpServers: { ...Object.fromEntries(agentServers), ...team } }),
  };
}

/** Returns the team's name of a tool, without the prefixes of Cursor. */
export function teamTool(tool: string): string {
  const name = tool.startsWith(PREFIX) ? tool.slice(PREFIX.length) : tool;
  return name.startsWith(`${TEAM_SERVER}-`) || name.startsWith(`${TEAM_SERVER}_`)
    ? name.slice(TEAM_SERVER.length + 1)
    : name;
}
