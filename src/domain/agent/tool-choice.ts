import type { AgentDefinition } from "./definition.ts";
import { DEFAULT_ENGINE, engineKind } from "./engines.ts";

/**
 * Tools besides those of the team and of the agent's MCP servers, which are always available. An sdk agent has them
 * unless its `tools` says otherwise; a scripted agent has only those that its `tools` names. An engine that is a
 * program brings its own tools, limited by permissions: naming one of these in `tools` would limit nothing, so it is
 * refused.
 */
export const SHELL_TOOLS: readonly string[] = ["bash", "read_file", "write_file", "list_files"];
export const SKILL_TOOL = "skill_read";

/** True for engines whose model runs in a program with tools of its own. */
export function bringsOwnTools({ backend = DEFAULT_ENGINE }: Pick<AgentDefinition, "backend">): boolean {
  const kind = engineKind(backend);
  return kind === "program" || kind === "protocol";
}

export function isToolChosen(
  { backend = DEFAULT_ENGINE, tools }: Pick<AgentDefinition, "backend" | "tools">,
  tool: string,
): boolean {
  if (bringsOwnTools({ backend })) return false;
  return tools === undefined ? engineKind(backend) === "api" : tools.includes(tool);
}

/** Returns the names in `tools` that do not exist. `team` are the names of the team's tools. */
export function unknownTools(
  { backend = DEFAULT_ENGINE, tools = [] }: Pick<AgentDefinition, "backend" | "tools">,
  team: Iterable<string>,
): string[] {
  const names = new Set(choosableTools({ backend }, team));
  return tools.filter((tool) => !names.has(tool));
}

/** Returns the names that `tools` may hold on this engine. */
export function choosableTools(agent: Pick<AgentDefinition, "backend">, team: Iterable<string>): string[] {
  return bringsOwnTools(agent) ? [...team] : [...SHELL_TOOLS, SKILL_TOOL, ...team];
}
