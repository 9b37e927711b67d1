import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Permissions } from "./definition.ts";
import { startsOtherProgram } from "./program-options.ts";
import { commandText, readCommand } from "./shell-words.ts";

/**
 * Decides by the patterns of an agent's `permissions` whether a tool call may be made. A pattern is a tool (`bash`,
 * `github_*`) or a tool with a subject: `bash(git status*)`, `write_file(src/**)`. Deny wins over ask, and ask over
 * allow, so a pattern can restrict a broad permission but not widen it. A call that no pattern matches is allowed in
 * the virtual shell and asked on the host.
 *
 * A command is allowed only if it can be parsed with certainty and every simple command in it is allowed. It is denied,
 * or asked, if any simple command found in it is. A pattern that ends in `*` allows no option that starts another program
 * (`program-options.ts`). Denying commands by their text is no security boundary, because a
 * program can start other programs. The boundary is to allow little and to ask for the rest.
 */
export type Decision = "allow" | "ask" | "deny";

export interface PermissionRequest {
  readonly tool: string;
  /** The subject: a shell command, or a normalised path relative to the project. */
  readonly command?: string;
  readonly path?: string;
}

export interface PatternDecision {
  readonly decision: Decision;
  /** The pattern that matched; null for the default. */
  readonly pattern: string | null;
}

interface Pattern {
  readonly text: string;
  readonly tool: string;
  /** Null matches any subject. */
  readonly subject: string | null;
}

export function decidePermission(permissions: Permissions | undefined, request: PermissionRequest): PatternDecision {
  const { mode = "virtual", allow = [], ask = [], deny = [] } = permissions ?? {};
  const forTool = (patterns: readonly string[]): Pattern[] =>
    patterns.flatMap((text) => {
      const parsed = parsePattern(text);
      return parsed.ok && matchesText(parsed.value.tool, request.tool) ? [parsed.value] : [];
    });

  const denyPatterns = forTool(deny);
  const denied = denyPatterns.find((pattern) => mayMatch(pattern, request));
  if (denied !== undefined) return { decision: "deny", pattern: denied.text };

  const askPatterns = forTool(ask);
  const asked = askPatterns.find((pattern) => mayMatch(pattern, request));
  if (asked !== undefined) return { decision: "ask", pattern: asked.text };

  // A pattern or command that cannot be parsed may be one that must not be allowed.
  const doubtful =
    [...deny, ...ask].some((text) => !parsePattern(text).ok) ||
    (request.command !== undefined &&
      denyPatterns.length + askPatterns.length > 0 &&
      readCommand(request.command).opaque);
  if (doubtful) return { decision: "ask", pattern: null };

  const allowed = findAllowing(forTool(allow), request);
  if (allowed !== undefined) return { decision: "allow", pattern: allowed.text };
  return { decision: mode === "host" ? "ask" : "allow", pattern: null };
}

/** True when a pattern denies the tool whatever it is used on. */
export function deniesTool(permissions: Permissions | undefined, tool: string): boolean {
  return (permissions?.deny ?? []).some((text) => {
    const pattern = parsePattern(text);
    return pattern.ok && pattern.value.subject === null && matchesText(pattern.value.tool, tool);
  });
}

/** Returns whether the name of a tool, in which `*` stands for any letters, means this tool. */
export function matchesToolName(written: string, tool: string): boolean {
  return matchesText(written, tool);
}

/** True when a person wrote that an agent may do anything on the host: `mode: host` with `*` allowed. */
export function allowsEverything(permissions: Permissions | undefined): boolean {
  return permissions?.mode === "host" && permissions.allow?.includes("*") === true;
}

/** Refuses a text that is not a pattern, so that a mistake in a file is found before a call depends on it. */
export function parsePattern(text: string): Result<Pattern, Refusal> {
  const parts = /^([\w*.:-]+)(?:\((.+)\))?$/s.exec(text.trim());
  const [, tool, subject] = parts ?? [];
  if (tool === undefined) {
    return refuse("invalid", `"${text}" is not a permission.`, {
      hint: "Write a tool (bash), or a tool with what it is used on: bash(git status*), write_file(src/**).",
    });
  }
  return ok({ text, tool, subject: subject?.trim() ?? null });
}

function findAllowing(patterns: readonly Pattern[], request: PermissionRequest): Pattern | undefined {
  const whole = patterns.find(({ subject }) => subject === null || subject === "*" || subject === "**");
  if (whole !== undefined) return whole;
  if (request.command !== undefined) {
    const { commands, opaque } = readCommand(request.command);
    if (opaque || commands.length === 0) return undefined;
    const allows = (subject: string, words: readonly string[]): boolean =>
      matchesWholeWords(subject, words) && !startsOtherProgram(subject, words);
    const deciding = commands.map((words) => patterns.find(({ subject }) => allows(subject ?? "", words)));
    return deciding.every((pattern) => pattern !== undefined) ? deciding[0] : undefined;
  }
  const { path } = request;
  return path === undefined ? undefined : patterns.find(({ subject }) => matchesPath(subject ?? "", path));
}

/** For deny and ask: also true when the pattern only may match. */
function mayMatch({ subject }: Pattern, { command, path }: PermissionRequest): boolean {
  if (subject === null) return true;
  if (command !== undefined) return commandsIn(command).some((words) => matchesCommand(subject, words));
  return path === undefined || matchesPath(subject, path);
}

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "eval", "source", "."]);
const WRAPPERS = new Set("sudo doas env command builtin exec nohup time nice xargs busybox".split(" "));
const MAX_DEPTH = 4;

/** Returns every command found in the text: also after `sudo` and `X=1`, and in arguments of a shell. */
export function commandsIn(text: string, depth = 0): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (const words of readCommand(text).commands) {
    let rest = words;
    found.push(rest);
    while (rest.length > 1 && (isAssignment(rest[0]) || WRAPPERS.has(programOf(rest[0])))) {
      rest = rest.slice(1);
      while (rest[0]?.startsWith("-") === true || isAssignment(rest[0])) rest = rest.slice(1);
      found.push(rest);
    }
    const [program, ...args] = rest;
    found.push([programOf(program), ...args]);
    const scripts = SHELLS.has(programOf(program)) ? args : words.filter((word) => /\$\(|`/.test(word));
    if (depth < MAX_DEPTH)
      for (const arg of scripts) found.push(...commandsIn(arg.replaceAll(/\$\(|[`()]/g, ";"), depth + 1));
  }
  return found;
}

function isAssignment(word: string | undefined): boolean {
  return word !== undefined && /^[A-Za-z_]\w*\+?=/.test(word);
}

/** `/bin/rm` is `rm`. */
function programOf(word: string | undefined): string {
  return word?.slice(word.lastIndexOf("/") + 1) ?? "";
}

/** In a command `*` matches anything. A final ` *` also matches nothing: `ls *` matches `ls`. */
function matchesCommand(pattern: string, words: readonly string[]): boolean {
  const text = commandText(words);
  return matchesText(pattern, text) || (pattern.endsWith(" *") && matchesText(pattern.slice(0, -2), text));
}

/** For allow: a final `*` after a word does not make the word longer. `npm test*` matches `npm test -q`, not `npm testx`. */
function matchesWholeWords(pattern: string, words: readonly string[]): boolean {
  return matchesCommand(pattern.replace(/(?<=\w)\*+$/, " *"), words);
}

/** In a path `*` stays within a folder and `**` does not; `src/**` also matches `src`. */
function matchesPath(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.\//, "");
  return pathGlob(plain).test(path) || (plain.endsWith("/**") && pathGlob(plain.slice(0, -3)).test(path));
}

/** Takes linear time, because an agent chooses the text. */
function matchesText(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

function pathGlob(pattern: string): RegExp {
  const meaning: Readonly<Record<string, string>> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
  const parts = pattern.split(/(\*\*\/|\*\*|\*|\?)/);
  return new RegExp(`^${parts.map((part) => meaning[part] ?? RegExp.escape(part)).join("")}$`, "s");
}
