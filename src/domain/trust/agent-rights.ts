import type { Permissions } from "../agent/definition.ts";
import { matchesToolName } from "../agent/permission.ts";
import { DEFAULT_PRESET, TEAM_TOOL_NAMES } from "../agent/team-tool-names.ts";
import { choosesTool, isPreset, SHELL_TOOLS, SKILL_TOOL } from "../agent/tool-choice.ts";

/** What an agent may call: its permissions, and its tools when its definition chooses them. */
export interface AgentRights extends Permissions {
  readonly tools?: readonly string[];
}

/** Returns how rights are wider than the ones a person saw. Narrower ones need no consent. */
export function findWidened(seen: AgentRights, now: AgentRights): readonly string[] {
  const isAllowed = (pattern: string): boolean => (seen.allow ?? []).some((wide) => covers(wide, pattern));
  const isDenied = (pattern: string): boolean => (now.deny ?? []).some((wide) => covers(wide, pattern));
  const isAsked = (pattern: string): boolean => (now.ask ?? []).some((wide) => covers(wide, pattern));
  return [
    ...(now.mode === "host" && seen.mode !== "host" ? ["use the shell of this machine"] : []),
    ...(now.mode === "project" && (seen.mode ?? "virtual") === "virtual" ? ["write files of the project"] : []),
    ...(now.allow ?? []).filter((pattern) => !isAllowed(pattern)).map((pattern) => `call ${pattern} without asking`),
    ...(seen.deny ?? []).filter((pattern) => !isDenied(pattern)).map((pattern) => `no longer be denied ${pattern}`),
    ...(seen.ask ?? [])
      .filter((pattern) => !isAsked(pattern) && !isDenied(pattern))
      .map((pattern) => `no longer ask before ${pattern}`),
    ...addedTools(seen.tools, now.tools),
  ];
}

/** An agent without a list of tools has those of the default preset. */
function addedTools(seen: readonly string[] = [DEFAULT_PRESET], now?: readonly string[]): readonly string[] {
  const before = new Set(seen.flatMap(toolsOf));
  const adds = (written: string): boolean =>
    !seen.includes(written) && toolsOf(written).some((tool) => !before.has(tool));
  if (now === undefined) return adds(DEFAULT_PRESET) ? ["use every tool"] : [];
  return now.filter(adds).map((tool) => `use the tool ${tool}`);
}

/** What an entry of `tools` chooses, whatever the engine. A preset that has no shell on this engine may have one on another. */
function toolsOf(written: string): readonly string[] {
  const others = written === "minimal" ? [] : [...SHELL_TOOLS, SKILL_TOOL];
  const chosen = isPreset(written) ? others : others.filter((tool) => matchesToolName(written, tool));
  return [...TEAM_TOOL_NAMES.filter((tool) => choosesTool(written, tool)), ...chosen];
}

/** Whether a pattern matches every call that a narrower one matches. When in doubt it does not. */
function covers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  const [wideTool, wideSubject] = partsOf(wide);
  const [narrowTool, narrowSubject] = partsOf(narrow);
  if (wideTool !== narrowTool && wideTool !== "*") return false;
  if (wideSubject === null) return true;
  if (narrowSubject === null) return false;
  const beginning = wideSubject.replace(/\*+$/, "");
  return beginning !== wideSubject && !beginning.includes("*") && narrowSubject.startsWith(beginning);
}

function partsOf(pattern: string): readonly [tool: string, subject: string | null] {
  const [, tool = pattern, subject = null] = /^([^(]+)\((.*)\)$/s.exec(pattern.trim()) ?? [];
  return [tool, subject];
}
