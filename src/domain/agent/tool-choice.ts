import type { AgentDefinition } from "./definition.ts";
import { DEFAULT_ENGINE, engineKind } from "./engines.ts";

/**
 * Which of the tools that are not the team's an agent gets: a shell, files, skills. An sdk agent has them unless its
 * `tools` says otherwise; a scripted one only what its `tools` names, for a script that says nothing about files needs
 * none. Command lines bring their own, which their permissions limit: a name of such a tool in `tools` would limit
 * nothing, so it is refused. The tools of the team are always there, and so are those of the servers an agent names.
 */
/** Beside the tools of the team there are these. */
export const SHELL_TOOLS: readonly string[] = ["bash", "read_file", "write_file", "list_files"];
export const SKILL_TOOL = "skill_read";

/** Engines whose model runs in a program with tools of its own. */
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

/** Names in `tools` that choose nothing. `team` are the names of the team's tools, some of which wait to be named. */
export function unknownTools(
  { backend = DEFAULT_ENGINE, tools = [] }: Pick<AgentDefinition, "backend" | "tools">,
  team: Iterable<string>,
): string[] {
  const names = new Set(choosableTools({ backend }, team));
  return tools.filter((tool) => !names.has(tool));
}

/** What `tools` may name on an engine. */
export function choosableTools(agent: Pick<AgentDefinition, "backend">, team: Iterable<string>): string[] {
  return bringsOwnTools(agent) ? [...team] : [...SHELL_TOOLS, SKILL_TOOL, ...team];
}
