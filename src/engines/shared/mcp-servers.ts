import { resolve } from "node:path";
import type { AgentDefinition, McpServer } from "../../domain/agent/definition.ts";
import { toolNameSkeleton } from "../../domain/agent/tool-name-skeleton.ts";
import { definedVariables, expandReferences } from "../../domain/agent/variable-references.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { Environment } from "./environment.ts";
import { valueOrFailure } from "./failure-text.ts";

/** Name of the server of the team's tools in a program's configuration. No server of an agent may resemble it. */
export const TEAM_SERVER = "agent-worker";

export type McpServers = Readonly<Record<string, McpServer>>;

/** Returns the servers with references to the environment replaced. Throws an EngineFailure. */
export function expandServers(servers: McpServers | undefined, env: Environment): McpServers {
  return Object.fromEntries(
    Object.entries(servers ?? {}).map(([name, server]) => [
      name,
      "url" in server
        ? { ...server, headers: valueOrFailure(expandReferences(server.headers ?? {}, env)) }
        : { ...server, env: valueOrFailure(definedVariables(server.env, env)) },
    ]),
  );
}

/**
 * Returns the agent's own servers for a program that also gets the team's. The program passes its environment on to the
 * servers it starts; they do not get `logins`, the variables that are for the program alone, unless the agent's
 * definition names them. Throws an EngineFailure.
 */
export function programServers(
  { name, mcpServers, env: added = {} }: Pick<AgentDefinition, "name" | "mcpServers" | "env">,
  env: Environment,
  logins: readonly string[],
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
  const hidden = logins.filter((variable) => !Object.hasOwn(added, variable));
  return Object.fromEntries(
    Object.entries(expandServers(mcpServers, env)).map(([server, settings]) => [
      server,
      "url" in settings ? settings : withoutVariables(settings, hidden),
    ]),
  );
}

function withoutVariables<T extends Extract<McpServer, { readonly command: string }>>(
  server: T,
  names: readonly string[],
) {
  const unset = names.filter((name) => !Object.hasOwn(server.env ?? {}, name));
  if (unset.length === 0) return server;
  const script = `unset ${unset.join(" ")}; exec "$@"`;
  return { ...server, command: "sh", args: ["-c", script, "sh", server.command, ...(server.args ?? [])] };
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
