import { resolve } from "node:path";
import type { AgentDefinition, McpServer } from "../../domain/agent/definition.ts";
import { toolNameSkeleton } from "../../domain/agent/tool-name-skeleton.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { expandReferences, type Environment } from "./environment.ts";
import { valueOrFailure } from "./failure-text.ts";

/** Name of the server of the team's tools in a program's configuration. No server of an agent may resemble it. */
export const TEAM_SERVER = "agent-worker";

export type McpServers = Readonly<Record<string, McpServer>>;

/** Returns the servers with references to the environment replaced. Throws an EngineFailure. */
export function expandServers(servers: McpServers | undefined, env: Environment): McpServers {
  const expand = (table: Readonly<Record<string, string>> | undefined) =>
    valueOrFailure(expandReferences(table ?? {}, env));
  return Object.fromEntries(
    Object.entries(servers ?? {}).map(([name, server]) => [
      name,
      "url" in server ? { ...server, headers: expand(server.headers) } : { ...server, env: expand(server.env) },
    ]),
  );
}

/** Returns the agent's own servers for a program that also gets the team's. Throws an EngineFailure. */
export function programServers(
  { name, mcpServers }: Pick<AgentDefinition, "name" | "mcpServers">,
  env: Environment,
): McpServers {
  const ours = toolNameSkeleton(TEAM_SERVER);
  const like = Object.keys(mcpServers ?? {}).find((server) => toolNameSkeleton(server) === ours);
  if (like !== undefined) {
    const same = like === TEAM_SERVER ? "is" : "looks like";
    throw new EngineFailure(
      "permanent",
      `${name} has an MCP server called "${like}", which ${same} the name of the team's tools. Rename it.`,
    );
  }
  return expandServers(mcpServers, env);
}

/** How to start an MCP server that is a program. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Returns a command that changes to the server's own folder first, for programs that start servers in theirs. */
export function serverCommand(
  { command, args = [], env = {}, cwd: folder }: Extract<McpServer, { readonly command: string }>,
  cwd: string,
): ServerCommand {
  if (folder === undefined) return { command, args, env };
  return { command: "sh", args: ["-c", 'cd -- "$0" && exec "$@"', resolve(cwd, folder), command, ...args], env };
}
