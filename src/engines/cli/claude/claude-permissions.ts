import type { Permissions } from "../../../domain/agent/definition.ts";
import { TEAM_SERVER } from "../../shared/mcp-servers.ts";

/**
 * What Claude Code decides by itself, and what makes it ask. Rules that allow one of our tools are not among it: they
 * are judged when it asks (`cli/program-call.ts`), where a rule to ask or to deny is seen in what a command hides, too.
 */
export interface ClaudePermissions {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** Our tools, and what Claude Code calls them. Other names are its own and stay as they are. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  bash: ["Bash"],
  read_file: ["Read"],
  write_file: ["Write", "Edit"],
  list_files: ["Glob"],
};

/** What outlives a turn, speaks to a team that is not this one, or to a person who is not there. */
const NEVER = [
  "AskUserQuestion",
  "CronCreate",
  "CronDelete",
  "CronList",
  "ScheduleWakeup",
  "SendMessage",
  "ListAgents",
  "TeamCreate",
];

export function claudePermissions(permissions: Permissions | undefined, servers: readonly string[]): ClaudePermissions {
  const { allow = [], ask = [], deny = [] } = permissions ?? {};
  const foreign = allow.filter((rule) => NAMES[toolOf(rule)] === undefined);
  return {
    allow: [...[TEAM_SERVER, ...servers].map((server) => `mcp__${server}`), ...foreign.flatMap(claudeRules)],
    ask: ask.flatMap(claudeRules),
    deny: [...NEVER, ...deny.flatMap(claudeRules)],
  };
}

function claudeRules(rule: string): string[] {
  const tool = toolOf(rule);
  if (tool === "*") return [];
  return (NAMES[tool] ?? [tool]).map((name) => `${name}${rule.trim().slice(tool.length)}`);
}

function toolOf(rule: string): string {
  return /^[^(]*/.exec(rule.trim())?.[0] ?? "";
}
