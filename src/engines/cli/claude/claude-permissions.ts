import type { Permissions } from "../../../domain/agent/definition.ts";
import { PRIVATE_NAMES } from "../../../domain/agent/private-paths.ts";
import { TEAM_SERVER } from "../../shared/mcp-servers.ts";

/**
 * The rules given to Claude Code itself. Rules that allow one of our tools are not among them: they are applied when it
 * requests a permission (`shared/program-call.ts`). There ask and deny rules also apply to commands inside a command.
 */
export interface ClaudePermissions {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** Our tools and their names in Claude Code. Other names are its own and are not changed. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  bash: ["Bash"],
  read_file: ["Read"],
  write_file: ["Write", "Edit"],
  list_files: ["Glob"],
};

/** Tools that outlive a turn, address other teams, or ask a person at a terminal. */
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

/** `privateFolders` are absolute. A rule for reading also covers searching, and editing. */
export function claudePermissions(
  permissions: Permissions | undefined,
  servers: readonly string[],
  privateFolders: readonly string[],
): ClaudePermissions {
  const { allow = [], ask = [], deny = [] } = permissions ?? {};
  const foreign = allow.filter((rule) => NAMES[toolOf(rule)] === undefined);
  return {
    allow: [...[TEAM_SERVER, ...servers].map((server) => `mcp__${server}`), ...foreign.flatMap(claudeRules)],
    ask: ask.flatMap(claudeRules),
    deny: [
      ...NEVER,
      ...PRIVATE,
      ...privateFolders.map((folder) => `Read(/${folder}/**)`),
      ...deny.flatMap(claudeRules),
    ],
  };
}

/** An absolute path begins with two slashes. */
const PRIVATE = PRIVATE_NAMES.flatMap((name) => [`Read(//**/${name})`, `Read(//**/${name}/**)`]);

function claudeRules(rule: string): string[] {
  const tool = toolOf(rule);
  if (tool === "*") return [];
  return (NAMES[tool] ?? [tool]).map((name) => `${name}${rule.trim().slice(tool.length)}`);
}

function toolOf(rule: string): string {
  return /^[^(]*/.exec(rule.trim())?.[0] ?? "";
}
