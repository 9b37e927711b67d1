import { join } from "node:path";
import { checkVariable } from "../../domain/agent/variable-names.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import { stampAt } from "../file-stamp.ts";
import { readTextInside } from "../read-text.ts";
import { problem } from "../yaml/problem.ts";

/** What the `.env` of a project says: `NAME=value` lines. A line that cannot be used is a problem and changes nothing. */
export interface EnvFile {
  readonly variables: Readonly<Record<string, string>>;
  /** Warnings. They never quote a line, because it may hold a secret. */
  readonly problems: readonly DefinitionProblem[];
}

const ENV_FILE = ".env";
const MAX_BYTES = 64 * 1024;
const MAX_VARIABLES = 500;
const MAX_VALUE_CHARS = 32 * 1024;
const NOTHING: EnvFile = { variables: {}, problems: [] };

export function readEnvFile(projectDir: string): EnvFile {
  if (stampAt(join(projectDir, ENV_FILE)) === "") return NOTHING;
  const text = readTextInside(projectDir, ENV_FILE, MAX_BYTES);
  if (text.ok) return parseEnvFile(text.value);
  return { ...NOTHING, problems: [warning(1, `It is not read: ${text.error.message}`, text.error.hint)] };
}

/** Reads the file again only when it has changed. */
export function openEnvFile(projectDir: string): () => EnvFile {
  let last: EnvFile = NOTHING;
  let lastStamp = "";
  return () => {
    const stamp = stampAt(join(projectDir, ENV_FILE));
    if (stamp !== lastStamp) last = readEnvFile(projectDir);
    lastStamp = stamp;
    return last;
  };
}

/** @internal */
export function parseEnvFile(text: string): EnvFile {
  const variables = new Map<string, string>();
  const problems: DefinitionProblem[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const read = readLine(line);
    if (read === undefined) continue;
    if ("wrong" in read) problems.push(warning(index + 1, read.wrong, read.hint));
    else if (variables.size >= MAX_VARIABLES && !variables.has(read.name)) {
      problems.push(warning(index + 1, `It has more than ${MAX_VARIABLES} variables; the rest is ignored.`));
      break;
    } else variables.set(read.name, read.value);
  }
  return { variables: Object.fromEntries(variables), problems };
}

type ReadLine = { readonly name: string; readonly value: string } | { readonly wrong: string; readonly hint?: string };

/** Undefined for a blank line and a comment. */
function readLine(line: string): ReadLine | undefined {
  const trimmed = line.trim();
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const [, name, written] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/s.exec(trimmed) ?? [];
  if (name === undefined || written === undefined) {
    return { wrong: "This line is not NAME=value, and is ignored.", hint: "A name has letters, digits and _." };
  }
  const value = readValue(written);
  if (value === undefined) return { wrong: `The value of ${name} has no closing quote, and is ignored.` };
  if (value.length > MAX_VALUE_CHARS || value.includes("\0")) {
    return {
      wrong: `The value of ${name} is longer than ${MAX_VALUE_CHARS} characters or holds a zero, and is ignored.`,
    };
  }
  const allowed = checkVariable(name, value);
  if (!allowed.ok) {
    return {
      wrong: `${allowed.error.message.replace("a definition", "the .env of a project")} It is ignored.`,
      hint: `Set ${name} in the shell instead.`,
    };
  }
  return { name, value };
}

/** In single quotes as it is; in double quotes with \n, \" and \\; otherwise up to a comment. */
function readValue(written: string): string | undefined {
  const quote = written[0];
  if (quote === "'") return /^'([^']*)'\s*(?:#.*)?$/.exec(written)?.[1];
  if (quote !== '"') return written.replace(/\s+#.*$/, "").trim();
  const inside = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(written)?.[1];
  return inside?.replace(/\\(.)/g, (_whole, letter: string) => ESCAPES[letter] ?? letter);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function warning(line: number, message: string, hint?: string): DefinitionProblem {
  const more = { severity: "warning", ...(hint === undefined ? {} : { hint }) } as const;
  return problem(ENV_FILE, { line, column: 1, text: "" }, message, more);
}
