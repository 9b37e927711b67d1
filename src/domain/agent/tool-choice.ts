import type { AgentDefinition } from "./definition.ts";
import { DEFAULT_ENGINE, engineKind } from "./engines.ts";
import { decidePermission, deniesTool, matchesToolName, type Decision } from "./permission.ts";
import { TEAM_TOOL_NAMES } from "./team-tool-names.ts";

/**
 * Tools besides those of the team and of the agent's MCP servers. An sdk agent has them unless its `tools` says
 * otherwise; a scripted agent has only those that its `tools` names. An engine that is a program brings its own tools,
 * limited by permissions: naming one of these in `tools` would limit nothing, so it is refused.
 */
export const SHELL_TOOLS: readonly string[] = ["bash", "read_file", "write_file", "list_files"];
export const SKILL_TOOL = "skill_read";

/** Tools that no grant gives, because they act on this machine or read its files. */
export const MACHINE_TOOLS: readonly string[] = [...SHELL_TOOLS, SKILL_TOOL];

/** What `tools` never takes away: an agent can always see what it was asked, settle it, and have nothing to say. */
const ALWAYS_CHOSEN: ReadonlySet<string> = new Set(["my_inbox", "my_inbox_ack", "no_action"]);

/** Tools that come with another one. */
const COMES_WITH: Readonly<Record<string, string>> = { space_close: "space_open", space_list: "space_open" };

/** Returns the tools any of which gives this one: itself first. */
export function givenWith(tool: string): readonly string[] {
  const other = Object.hasOwn(COMES_WITH, tool) ? COMES_WITH[tool] : undefined;
  return other === undefined ? [tool] : [tool, other];
}

/** The part of a definition that says which tools the agent has. */
export type ToolChoice = Pick<AgentDefinition, "backend" | "tools" | "permissions">;

/** True for engines whose model runs in a program with tools of its own. */
export function bringsOwnTools({ backend = DEFAULT_ENGINE }: Pick<AgentDefinition, "backend">): boolean {
  const kind = engineKind(backend);
  return kind === "program" || kind === "protocol";
}

/** Returns whether the agent gets this tool of the shell or of skills. */
export function isToolChosen({ backend = DEFAULT_ENGINE, tools, permissions }: ToolChoice, tool: string): boolean {
  if (bringsOwnTools({ backend }) || deniesTool(permissions, tool)) return false;
  return tools === undefined ? engineKind(backend) === "api" : isNamed(tools, tool);
}

/**
 * Decides whether the agent may use a tool of the team: `deny` wins over everything; then `tools` is the whole list, or
 * every tool if it is absent; then `ask` applies. A tool that is `onlyIfNamed` must be written out in `tools`. A grant
 * adds a tool to those that `tools` gives. Unlike a call of a shell, a call that no pattern matches is allowed in every
 * mode, because it does not act on the machine.
 */
export function decideTeamTool(
  { tools, permissions }: ToolChoice,
  tool: string,
  { onlyIfNamed = false, granted = false }: { readonly onlyIfNamed?: boolean; readonly granted?: boolean } = {},
): Decision {
  const { decision } = decidePermission({ ...permissions, mode: "virtual" }, { tool });
  if (decision === "deny") return "deny";
  if (granted) return decision;
  if (onlyIfNamed) return givenWith(tool).some((each) => tools?.includes(each) === true) ? decision : "deny";
  if (ALWAYS_CHOSEN.has(tool)) return "allow";
  return tools === undefined || isNamed(tools, tool) ? decision : "deny";
}

/**
 * Returns the definition as the program of an engine needs it: without patterns that name a tool of the team. The daemon
 * keeps to those itself, and a program may not know how to.
 */
export function programDefinition(definition: AgentDefinition): AgentDefinition {
  const { permissions } = definition;
  if (permissions === undefined) return definition;
  const ofProgram = (patterns: readonly string[]) => patterns.filter((text) => !TEAM_TOOL_NAMES.includes(text.trim()));
  const { mode, allow, ask, deny } = permissions;
  return {
    ...definition,
    permissions: {
      ...(mode === undefined ? {} : { mode }),
      ...(allow === undefined ? {} : { allow: ofProgram(allow) }),
      ...(ask === undefined ? {} : { ask: ofProgram(ask) }),
      ...(deny === undefined ? {} : { deny: ofProgram(deny) }),
    },
  };
}

/** Returns the names in `tools` that do not exist. */
export function unknownTools({ backend = DEFAULT_ENGINE, tools = [] }: ToolChoice): string[] {
  const names = choosableTools({ backend });
  return tools.filter((written) => !names.some((name) => matchesToolName(written, name)));
}

/** Returns the names that `tools` may hold on this engine. */
export function choosableTools(agent: Pick<AgentDefinition, "backend">): string[] {
  return bringsOwnTools(agent) ? [...TEAM_TOOL_NAMES] : [...SHELL_TOOLS, SKILL_TOOL, ...TEAM_TOOL_NAMES];
}

function isNamed(tools: readonly string[], tool: string): boolean {
  return tools.some((written) => matchesToolName(written, tool));
}
