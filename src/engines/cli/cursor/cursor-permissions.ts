import type { Permissions } from "../../../domain/agent/definition.ts";
import { allowsEverything, parsePattern } from "../../../domain/agent/permission.ts";
import { PRIVATE_NAMES } from "../../../domain/agent/private-paths.ts";
import { EngineFailure } from "../../../ports/engine.ts";
import { valueOrFailure } from "../../shared/failure-text.ts";

/**
 * An agent's `permissions` as rules of Cursor: `Shell(git:status*)`, `Write(src/**)`, `Mcp(server:tool)`. Deny wins
 * over allow there too. Without a terminal Cursor refuses what no rule names and cannot ask a person, so ask rules
 * become deny rules.
 */
export interface CursorPermissions {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Anything is allowed on the host: Cursor's `--force`. */
  readonly everything: boolean;
}

export function cursorPermissions(
  permissions: Permissions | undefined,
  mcpServers: readonly string[],
  privateFolders: readonly string[],
): CursorPermissions {
  const { allow = [], ask = [], deny = [] } = permissions ?? {};
  return {
    allow: [
      "Read(**)",
      ...mcpServers.map((name) => `Mcp(${name}:*)`),
      ...allow.filter((text) => text !== "*").flatMap(allowed),
    ],
    deny: [
      ...PRIVATE_NAMES.flatMap((name) => [`Read(**/${name})`, `Read(**/${name}/**)`]),
      ...privateFolders.map((folder) => `Read(${folder}/**)`),
      ...[...ask, ...deny].flatMap(denied),
    ],
    everything: allowsEverything(permissions),
  };
}

function allowed(text: string): string[] {
  const { tool, subject } = read(text);
  if (tool !== "bash" || subject === null) return otherTool(tool, subject);
  const [program = "", ...args] = subject.split(/\s+/);
  if (args.length === 0 || program.includes("*")) {
    throw new EngineFailure(
      "permanent",
      `Cursor cannot keep to the permission "${text}": it allows a program with any arguments or with some. Write bash(${program.replaceAll("*", "")} *) or name the arguments.`,
    );
  }
  return [`Shell(${program}:${args.join(" ")})`];
}

/** Denies more than the rule says: a program that is denied with some arguments is denied with all. */
function denied(text: string): string[] {
  const { tool, subject } = read(text);
  if (tool === "*") return ["Shell(*)", "Read(**)", "Write(**)", "WebFetch(*)"];
  if (tool !== "bash" || subject === null) return otherTool(tool, subject);
  return [`Shell(${subject.split(/\s+/)[0]})`];
}

function otherTool(tool: string, subject: string | null): string[] {
  switch (tool) {
    case "bash":
      return ["Shell(*)"];
    case "read_file":
    case "list_files":
      return [`Read(${subject ?? "**"})`];
    case "write_file":
      return [`Write(${subject ?? "**"})`];
    default:
      return [`Mcp(*:${tool})`];
  }
}

function read(text: string): { readonly tool: string; readonly subject: string | null } {
  return valueOrFailure(parsePattern(text));
}
