import { TEAM_SERVER } from "../cli/cli-dialect.ts";

/**
 * Agents tell of a tool of an MCP server in many ways: `agent-worker_send`, `mcp__agent-worker__send`,
 * `agent-worker/send`, `send (agent-worker MCP Server)`. The team's own name of the tool, or null if it is none of the
 * team's.
 */
export function teamTool(name: string, teamTools: ReadonlySet<string>): string | null {
  if (!name.includes(TEAM_SERVER)) return null;
  const words = name.replaceAll(TEAM_SERVER, " ").split(/[^\w]+/);
  return (
    words.map((word) => word.replace(/^_+|_+$/g, "").replace(/^mcp_+/, "")).find((word) => teamTools.has(word)) ?? null
  );
}
