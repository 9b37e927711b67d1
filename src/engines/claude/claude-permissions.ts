import type { Permissions } from "../../domain/agent/definition.ts";
import { TEAM_SERVER } from "../cli/cli-dialect.ts";

/**
 * The agent's permissions as Claude Code writes them. It has no virtual shell, so without a rule an agent may look and
 * talk to its team, and nothing else: what would have to be asked is denied, because nobody sits in front of it.
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

/** What outlives a turn, or speaks to a team that is not this one. */
const NEVER = ["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "SendMessage", "ListAgents", "TeamCreate"];

export function claudePermissions(permissions: Permissions | undefined, servers: readonly string[]): ClaudePermissions {
  const { allow = [], ask = [], deny = [] } = permissions ?? {};
  return {
    allow: [...[TEAM_SERVER, ...servers].map((server) => `mcp__${server}`), ...allow.flatMap(claudeRules)],
    ask: ask.flatMap(claudeRules),
    deny: [...NEVER, ...deny.flatMap(claudeRules)],
  };
}

function claudeRules(rule: string): string[] {
  const [, tool = "", subject = ""] = /^([^(]+)(\(.*\))?$/s.exec(rule.trim()) ?? [];
  if (tool === "*") return [];
  return (NAMES[tool] ?? [tool]).map((name) => `${name}${subject}`);
}
