import type { AgentDefinition } from "./definition.ts";
import { DEFAULT_ENGINE, engineKind } from "./engines.ts";
import { decidePermission, deniesTool, matchesToolName, type Decision } from "./permission.ts";
import {
  DEFAULT_PRESET,
  partsOfTool,
  TEAM_TOOL_NAMES,
  teamToolName,
  TOOL_PRESETS,
  type ToolPreset,
} from "./team-tool-names.ts";

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

/** Returns the choice with the tools that grants add: as if they were written out in `tools`. `deny` still wins. */
export function choiceWithGrants(choice: ToolChoice, granted: readonly string[]): ToolChoice {
  return granted.length === 0 ? choice : { ...choice, tools: [...(choice.tools ?? [DEFAULT_PRESET]), ...granted] };
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
  const inPreset = (preset: ToolPreset): boolean => preset !== "minimal" && engineKind(backend) === "api";
  return (tools ?? [DEFAULT_PRESET]).some((written) =>
    isPreset(written) ? inPreset(written) : matchesToolName(written, tool),
  );
}

/**
 * Decides whether the agent may use a tool of the team: `deny` wins over everything; then `tools` is the whole list, or
 * the default preset if it is absent; then `ask` applies. Unlike a call of a shell, a call that no pattern matches is
 * allowed in every mode, because it does not act on the machine.
 *
 * Who may use a tool may also use the ones whose work it took over. Where a pattern restricts one of these, the agent
 * gets them instead of the tool that is made of them, so that no definition gives more than when it was written.
 */
export function decideTeamTool(choice: ToolChoice, tool: string): Decision {
  let decisions = DECISIONS.get(choice);
  if (decisions === undefined) DECISIONS.set(choice, (decisions = new Map()));
  let decision = decisions.get(tool);
  if (decision === undefined) decisions.set(tool, (decision = decide(choice, tool)));
  return decision;
}

/** Each run asks for every tool, several times, and its definition is the same object until its file changes. */
const DECISIONS = new WeakMap<ToolChoice, Map<string, Decision>>();

function decide(choice: ToolChoice, tool: string): Decision {
  const decision = permissionOf(choice, tool);
  if (decision === "deny" || isSplit(choice, tool)) return "deny";
  if (ALWAYS_CHOSEN.has(tool)) return "allow";
  return isTeamToolChosen(choice, tool) ? decision : "deny";
}

/** False for a tool that the agent may call, but that is not shown, because it has the one that replaced it. */
export function isTeamToolShown(choice: ToolChoice, tool: string): boolean {
  const now = teamToolName(tool)?.replacedBy;
  return now === undefined || decideTeamTool(choice, now) === "deny";
}

function permissionOf({ permissions }: ToolChoice, tool: string): Decision {
  const rules = { ...permissions, mode: "virtual" } as const;
  const names = [tool, teamToolName(tool)?.replacedBy ?? tool];
  const decisions = names.map((name) => decidePermission(rules, { tool: name }).decision);
  return decisions.includes("deny") ? "deny" : decisions.includes("ask") ? "ask" : "allow";
}

function isSplit(choice: ToolChoice, tool: string): boolean {
  const own = permissionOf(choice, tool);
  return partsOfTool(tool).some((part) => permissionOf(choice, part) !== own);
}

function isTeamToolChosen({ tools = [DEFAULT_PRESET] }: ToolChoice, tool: string): boolean {
  const row = teamToolName(tool);
  const names = row?.replacedBy === undefined ? [tool] : [tool, row.replacedBy];
  return tools.some((written) => names.some((name) => choosesTool(written, name)));
}

/** Returns whether an entry of `tools` chooses a tool of the team. */
export function choosesTool(written: string, tool: string): boolean {
  const { preset = null, onlyIfWritten = false } = teamToolName(tool) ?? {};
  if (isPreset(written)) return preset !== null && TOOL_PRESETS.indexOf(preset) <= TOOL_PRESETS.indexOf(written);
  return onlyIfWritten ? written === tool || written === COMES_WITH[tool] : matchesToolName(written, tool);
}

/** True when `tools` has this name itself: of a tool, or of a preset. */
export function isWrittenOut({ tools = [] }: ToolChoice, written: string): boolean {
  return tools.includes(written);
}

export function isPreset(written: string): written is ToolPreset {
  return TOOL_PRESETS.some((preset) => preset === written);
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

/** Returns the entries of `tools` that are neither a preset nor a tool. */
export function unknownTools({ backend = DEFAULT_ENGINE, tools = [] }: ToolChoice): string[] {
  const names = choosableTools({ backend });
  return tools.filter((written) => !isPreset(written) && !names.some((name) => matchesToolName(written, name)));
}

/** Returns the names of tools that `tools` may hold on this engine. */
export function choosableTools(agent: Pick<AgentDefinition, "backend">): string[] {
  return bringsOwnTools(agent) ? [...TEAM_TOOL_NAMES] : [...SHELL_TOOLS, SKILL_TOOL, ...TEAM_TOOL_NAMES];
}
