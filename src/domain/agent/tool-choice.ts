import type { AgentDefinition, EngineName } from "./definition.ts";
import { DEFAULT_ENGINE } from "./needs-model.ts";

/**
 * Which of the tools that are not the team's an agent gets: a shell, files, skills. Command lines bring their own. An
 * sdk agent has them unless its `tools` says otherwise; a scripted one only what its `tools` names, for a script that
 * says nothing about files needs none. The tools of the team are always there.
 */
const WITHOUT_TOOLS_OF_THEIR_OWN: ReadonlySet<EngineName> = new Set(["sdk", "mock"]);

/** Beside the tools of the team there are these. */
export const SHELL_TOOLS: readonly string[] = ["bash", "read_file", "write_file", "list_files"];
export const SKILL_TOOL = "skill_read";

/** Engines whose model runs in a program with tools of its own. */
export function bringsOwnTools({ backend = DEFAULT_ENGINE }: Pick<AgentDefinition, "backend">): boolean {
  return !WITHOUT_TOOLS_OF_THEIR_OWN.has(backend);
}

export function isToolChosen(
  { backend = DEFAULT_ENGINE, tools }: Pick<AgentDefinition, "backend" | "tools">,
  tool: string,
): boolean {
  if (!WITHOUT_TOOLS_OF_THEIR_OWN.has(backend)) return false;
  return tools === undefined ? backend === "sdk" : tools.includes(tool);
}

/** Names in `tools` that nothing is called. What MCP servers and command lines offer is known only when they run. */
export function unknownTools(
  { backend = DEFAULT_ENGINE, tools = [], mcpServers }: Pick<AgentDefinition, "backend" | "tools" | "mcpServers">,
  known: Iterable<string>,
): string[] {
  if (!WITHOUT_TOOLS_OF_THEIR_OWN.has(backend) || Object.keys(mcpServers ?? {}).length > 0) return [];
  const names = new Set(known);
  return tools.filter((tool) => !names.has(tool));
}
