import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import { PERSON, SYSTEM } from "./message/message.ts";

/**
 * The grammar of names and tags. They are used in file paths, targets and mentions, and must be safe in all three. Names
 * are looked up case-sensitively. Two names that differ only in case are one folder on some disks, so creating the second
 * is a collision (`nameKey`).
 */
export const MAX_NAME_LENGTH = 64;
export const DEFAULT_TAG = "main";

/** Mentions every participant. */
export const EVERYONE = "all";

/** Spelling of "no workspace" in targets: `alice@global` is the direct messages of alice. */
export const NO_WORKSPACE = "global";

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]*$/;
const TAG = /^[a-zA-Z0-9._-]+$/;
/** Some file systems cannot hold a file of this name, with any ending. Names and tags become names of files. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)\d)(?:\..*)?$/i;
const RESERVED: ReadonlySet<string> = new Set([PERSON, SYSTEM, EVERYONE, NO_WORKSPACE]);

/** Equal for names that collide on a disk that ignores case. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

export function isReservedName(name: string): boolean {
  return RESERVED.has(nameKey(name));
}

function checkName(text: string): Result<string, Refusal> {
  return checkWord(text, "name", NAME, "A name starts with a letter and goes on with letters, digits, _ or -.");
}

/** Accepts a name for an agent: valid and not reserved. */
export function checkAgentName(text: string): Result<string, Refusal> {
  const name = checkName(text);
  if (!name.ok || !isReservedName(text)) return name;
  return refuse("invalid", `"${text}" is reserved and cannot be the name of an agent.`, {
    hint: `Choose another name; ${[...RESERVED].join(", ")} are taken in any spelling.`,
  });
}

/** `global` cannot be a workflow: targets read it as "no workspace". */
export function checkWorkflowName(text: string): Result<string, Refusal> {
  const name = checkName(text);
  if (!name.ok || nameKey(text) !== NO_WORKSPACE) return name;
  return refuse("invalid", `"${text}" is reserved and cannot be the name of a workflow.`, {
    hint: "There is no global workspace. Address an agent directly by its name, or choose another workflow name.",
  });
}

/** Accepts a name for a sub-space of a workspace. */
export function checkSpaceName(text: string): Result<string, Refusal> {
  return checkName(text);
}

export function checkTag(text: string): Result<string, Refusal> {
  const tag = checkWord(text, "tag", TAG, "A tag is made of letters, digits, dots, _ and -.");
  if (!tag.ok || (text !== "." && text !== "..")) return tag;
  return refuse("invalid", `"${text}" cannot be a tag.`, {
    hint: "A tag becomes the name of a folder; add a letter or a digit.",
  });
}

function checkWord(text: string, what: "name" | "tag", grammar: RegExp, rule: string): Result<string, Refusal> {
  if (text === "") return refuse("invalid", `The ${what} is empty.`, { hint: rule });
  if (text.length > MAX_NAME_LENGTH) {
    return refuse("invalid", `The ${what} "${excerpt(text)}" is longer than ${MAX_NAME_LENGTH} characters.`, {
      hint: `Use at most ${MAX_NAME_LENGTH} characters.`,
    });
  }
  if (!grammar.test(text)) return refuse("invalid", `"${excerpt(text)}" is not a valid ${what}.`, { hint: rule });
  if (DEVICE.test(text)) {
    return refuse("invalid", `"${text}" cannot be a ${what}: some file systems cannot hold a file called so.`, {
      hint: `Choose another ${what}.`,
    });
  }
  return ok(text);
}

/** Returns the start of an invalid word, on one line and safe for a terminal. */
function excerpt(text: string): string {
  const start = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return start.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
