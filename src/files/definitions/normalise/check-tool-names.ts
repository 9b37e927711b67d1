import type { RuntimeSettings } from "../../../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../../../domain/agent/engines.ts";
import { matchesToolName, parsePattern } from "../../../domain/agent/permission.ts";
import { hintForUnknownTool } from "../../../domain/agent/replaced-tools.ts";
import { TEAM_TOOL_NAMES, teamToolName, TOOL_PRESETS } from "../../../domain/agent/team-tool-names.ts";
import { bringsOwnTools, choosableTools, isPreset, unknownTools } from "../../../domain/agent/tool-choice.ts";
import { closest } from "../../../kernel/closest.ts";
import { editDistance } from "../../../kernel/edit-distance.ts";
import { quoted } from "../../yaml/excerpt.ts";
import type { YamlPath } from "../../yaml/problem.ts";
import type { Report } from "../../yaml/report.ts";
import type { ModelFile, RuntimeFile } from "../schema/runtime-schema.ts";

type Written = Pick<RuntimeFile, "tools"> & Pick<ModelFile, "permissions">;

/**
 * Reports names of tools that mean nothing: a misspelt name under `deny` would deny nothing. `settings` are those of the
 * agent, with the project's defaults; undefined where another file says which engine and which MCP servers it has.
 */
export function checkToolNames(
  { tools: written, permissions }: Written,
  settings: RuntimeSettings | undefined,
  path: YamlPath,
  report: Report,
): void {
  const engine = settings ?? {};
  const tools = typeof written === "string" ? undefined : written;
  if (typeof written === "string" && !isPreset(written)) {
    report.error([...path, "tools"], `There is no set of tools ${quoted(written)}.`, {
      hint: `Sets: ${TOOL_PRESETS.join(", ")}. Single tools are written as a list: tools: [team, bash].`,
    });
  }
  for (const [index, name] of (tools ?? []).entries()) {
    if (unknownTools({ ...engine, tools: [name] }).length === 0 || report.ownTools().includes(name)) continue;
    const at = [...path, "tools", index];
    if (bringsOwnTools(engine) && unknownTools({ tools: [name] }).length === 0) {
      const { backend = DEFAULT_ENGINE } = engine;
      report.error(at, `${backend} has tools of its own, so ${quoted(name)} chooses nothing.`, {
        hint: "Say in permissions which of its tools it may use.",
      });
    } else {
      const known = [...TOOL_PRESETS, ...currentFirst(choosableTools(engine)), ...report.ownTools()];
      const hint = hintForUnknownTool(name, known);
      report.error(at, `There is no tool ${quoted(name)}.`, { hint });
    }
  }
  const known = tools !== undefined && tools.length > 0 && unknownTools({ ...engine, tools }).length === 0;
  if (known && !tools.some(isTeamPattern)) {
    report.warn([...path, "tools"], `"tools" names no tool of the team: the agent can read its inbox and answer.`, {
      part: "key",
      hint: 'Add what it needs, such as channel_send or "team_doc_*", or team for the usual ones. If this is meant, add no_action.',
    });
  }
  for (const list of ["allow", "ask", "deny"] as const) {
    for (const [index, text] of (permissions?.[list] ?? []).entries()) {
      const pattern = parsePattern(text);
      // What is no pattern is reported where permissions are read.
      if (!pattern.ok) continue;
      const problem = problemOf(list, pattern.value, settings, report);
      if (problem !== undefined) report.error([...path, "permissions", list, index], problem.message, problem);
    }
  }
}

/** A hint names the first of them: those of earlier versions come last. */
function currentFirst(tools: readonly string[]): string[] {
  const isOld = (tool: string): boolean => teamToolName(tool)?.replacedBy !== undefined;
  return [...tools.filter((tool) => !isOld(tool)), ...tools.filter(isOld)];
}

function isTeamPattern(written: string): boolean {
  return isPreset(written) || TEAM_TOOL_NAMES.some((name) => matchesToolName(written, name));
}

interface ToolPattern {
  readonly tool: string;
  readonly subject: string | null;
}

function problemOf(
  list: "allow" | "ask" | "deny",
  { tool, subject }: ToolPattern,
  settings: RuntimeSettings | undefined,
  report: Pick<Report, "ownTools">,
) {
  const isTeamTool = TEAM_TOOL_NAMES.includes(tool) || report.ownTools().includes(tool);
  if (isTeamTool && subject !== null) {
    return { message: `${tool} is allowed, asked or denied as a whole.`, hint: `Write ${tool} alone.` };
  }
  if (isTeamTool && list === "ask" && settings !== undefined && bringsOwnTools(settings)) {
    const { backend = DEFAULT_ENGINE } = settings;
    return {
      message: `An agent on ${backend} cannot wait for a person before it uses ${tool}.`,
      hint: "Write it under deny, or use backend: sdk.",
    };
  }
  const known = choosableTools(settings ?? {});
  if (isTeamTool || known.some((name) => matchesToolName(tool, name))) return undefined;
  if (!mayBeOfOthers(settings)) {
    return { message: `There is no tool ${quoted(tool)}.`, hint: hintForUnknownTool(tool, currentFirst(known)) };
  }
  const likely = closest(tool, TEAM_TOOL_NAMES);
  if (likely === undefined || editDistance(tool.toLowerCase(), likely) > FEW_LETTERS) return undefined;
  return {
    message: `There is no tool ${quoted(tool)} of the team.`,
    hint: `Did you mean "${likely}"? If it is a tool of an MCP server, write ${tool}* instead.`,
  };
}

/** A name that differs by no more letters from that of a tool of the team is a slip. */
const FEW_LETTERS = 2;

/** True when the agent has, or may have, tools whose names only its program or its MCP servers know. */
function mayBeOfOthers(settings: RuntimeSettings | undefined): boolean {
  return settings === undefined || bringsOwnTools(settings) || Object.keys(settings.mcpServers ?? {}).length > 0;
}
