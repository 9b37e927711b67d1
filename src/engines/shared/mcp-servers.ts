import { resolve } from "node:path";
import type { McpServer } from "../../domain/agent/definition.ts";

/** How to start an MCP server that is a program, for command lines that know no working folder of a server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function serverCommand(
  { command, args = [], env = {}, cwd: folder }: Extract<McpServer, { readonly command: string }>,
  cwd: string,
): ServerCommand {
  if (folder === undefined) return { command, args, env };
  return { command: "sh", args: ["-c", 'cd -- "$0" && exec "$@"', resolve(cwd, folder), command, ...args], env };
}
